import Foundation
import LinuxSystem
import Speech
import Yams

/// `profiles.yaml` beside the service's `config.yaml`: named options of dictations. Only the command line reads it, so a
/// change applies to the next dictation.
///
///     notes:
///       exec: cat >> ~/notes.txt
///       punctuation: true
struct ProfileFile: Sendable {
    static let longest = 64 * 1024

    let path: String

    /// - Throws: `CommandError` with `badProfile` if there is no such profile, or it has an unknown option or a bad value.
    func profile(_ name: String) throws(CommandError) -> DictationProfile {
        let data: Data
        do throws(FileError) {
            data = try RegularFile(path: path, limit: Self.longest).data
        } catch {
            throw failure(
                error.code == .missing ? "the file does not exist; see Documentation/Delivery.md" : error.reason)
        }
        let mapping: Node.Mapping
        do {
            guard let found = try compose(yaml: String(decoding: data, as: UTF8.self))?.mapping else {
                throw failure("it is not a mapping of names")
            }
            mapping = found
        } catch let error as CommandError {
            throw error
        } catch {
            throw failure("it is not valid YAML")
        }
        guard let node = mapping[Node(name)] else {
            let names = mapping.keys.compactMap(\.string).joined(separator: ", ")
            throw CommandError(
                .badProfile, "No profile “\(name)” in \(path). Available: \(names.isEmpty ? "none" : names).")
        }
        return try profile(name, node)
    }

    private func profile(_ name: String, _ node: Node) throws(CommandError) -> DictationProfile {
        if node.null != nil { return DictationProfile() }
        guard let options = node.mapping else { throw failure("“\(name)” is not a mapping of options") }
        let known = DictationProfile.CodingKeys.allCases.map(\.rawValue)
        let keys = options.keys.map { $0.string ?? "" }
        if let unknown = keys.first(where: { !known.contains($0) }) {
            throw CommandError(
                .badProfile,
                "Unknown option “\(unknown)” in the profile “\(name)” in \(path). Did you mean "
                    + "“\(Self.nearest(unknown, known))”?")
        }
        do {
            return try YAMLDecoder().decode(DictationProfile.self, from: node)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
            let key = context.codingPath.first?.stringValue ?? "an option"
            throw failure("the value of “\(key)” in “\(name)” is invalid")
        } catch {
            throw failure("a value in “\(name)” is invalid")
        }
    }

    private static func nearest(_ word: String, _ words: [String]) -> String {
        func characters(_ word: String) -> [String] { word.lowercased().map { String($0) } }
        func distance(_ other: String) -> Int {
            WordDistance.errors(reference: characters(word), hypothesis: characters(other))
        }
        return words.min { distance($0) < distance($1) } ?? ""
    }

    private func failure(_ reason: String) -> CommandError {
        CommandError(.badProfile, "The profiles in \(path) cannot be used: \(reason).")
    }
}

/// Named options of `voicegate dictate`; each key is an option's name.
struct DictationProfile: Sendable, Hashable, Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case device, waitForDevice, stopAfterSilence, endSilence, temporaryFull, level, partial
        case to, exec, atEnd, filters, punctuation, numbers, tones, toneDevice
        case contextPhrases, words, grammar, task, alternatives
    }

    var device: String?
    var waitForDevice: Bool?
    var stopAfterSilence: Double?
    var endSilence: Double?
    var temporaryFull: String?
    var level: Bool?
    var partial: Bool?
    var to: DeliveryTarget?
    var exec: String?
    var atEnd: Bool?
    var filters: [String]?
    var punctuation: Bool?
    var numbers: Bool?
    var tones: Bool?
    var toneDevice: String?
    var contextPhrases: [String]?
    /// Files and folders; `~/` is the user's home.
    var words: [String]?
    var grammar: String?
    var task: TaskHint?
    var alternatives: Int?
}
