import ArgumentParser
import Authorization
import Foundation
import SocketAPI
import VoiceGateClient

enum HistorySupport {
    static func check(_ client: String?) throws {
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
    }

    /// Items by the beginnings of their identifiers, as the list shows them.
    static func entries(_ beginnings: [String], _ service: VoiceGateClient) async throws -> [HistoryEntry] {
        var kept: [HistoryEntry] = []
        for try await entry in try await service.history() { kept.append(entry) }
        return try beginnings.map { beginning in
            let found = kept.filter { !beginning.isEmpty && $0.item.hasPrefix(beginning.lowercased()) }
            guard let entry = found.first, found.count == 1 else {
                throw CommandError(
                    .noInput, .noInput,
                    found.isEmpty
                        ? "Nothing is kept as \(beginning). voicegate history lists what is kept."
                        : "\(found.count) items begin with \(beginning). Give more of the identifier.")
            }
            return entry
        }
    }

    /// The utterances of a transcript.
    static func utterances(_ item: String, _ service: VoiceGateClient) async throws -> [KeptUtterance] {
        var bytes: [UInt8] = []
        for try await piece in try await service.keptContent(item) { bytes += piece }
        let decoder = JSONCoding.decoder()
        return try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try decoder.decode(KeptUtterance.self, from: Data(line))
        }
    }
}
