import Authorization
import Foundation
import Retention
import SocketAPI

extension HistoryEntry {
    /// - Parameter items: where the text is read from; `nil`: it is not told.
    init(_ item: KeptItem, manifest: Manifest?, text items: ItemStore?) async {
        self.init(
            item: item.identifier, session: item.session, client: item.client.rawValue,
            name: manifest?.name ?? item.client.rawValue, kind: item.kind, date: item.date, until: item.end,
            bytes: item.bytes)
        guard let items else { return }
        do {
            var data = Data()
            for try await chunk in try await items.open(item.identifier, user: item.user) { data += chunk }
            let decoder = JSONCoding.decoder()
            let lines = data.split(separator: UInt8(ascii: "\n"))
            text = try lines.map { try decoder.decode(KeptUtterance.self, from: $0).text }.joined(separator: "\n")
        } catch {
            problem = "\(error)"
        }
    }
}
