import Foundation
import LinuxSystem
import Speech
import Yams

/// `profiles.yaml` beside the service's `config.yaml`: names, and under each the options of a dictation. The command line
/// alone reads it, so a change counts from the next dictation on.
///
///     notes:
///       exec: cat >> ~/notes.txt
///       punctuation: true
struct ProfileFile: Sendable {
    static let longest = 64 * 1024

    let path: String

    /// - Throws: `CommandError` with `badProfile`: there is no such profile, or it has an option that is not known or a
    ///   value that does not fit. A misspelt option would otherwise be without effect.
    func profile(_ name: String) throws(CommandError) -> DictationProfile {
        let data: Data
        do throws(FileError) {
            data = try RegularFile(path: path, limit: Self.longest).data
        } catch {
            throw failure(
                error.code == .missing ? "it is not there; Documentation/Delivery.md has an example" : error.reason)
        }
        let mapping: Node.Mapping
        do {
            guard let found = try compose(yaml: String(decoding: data, as: UTF8.self))?.mapping else {
                throw failure("it is not a list of names")
            }
            mapping = found
        } catch let error as CommandError {
            throw error
        } catch {
            throw failure("it cannot be read as YAML")
        }
        guard let node = mapping[Node(name)] else {
            let names = mapping.keys.compactMap(\.string).joined(separator: ", ")
            throw failure("it has no profile “\(name)”; there is \(names.isEmpty ? "none" : names)")
        }
        return try profile(name, node)
    }

    private func profile(_ name: String, _ node: Node) throws(CommandError) -> DictationProfile {
        if node.null != nil { return DictationProfile() }
        guard let options = node.mapping else { throw failure("“\(name)” is not a list of options and values") }
        let known = DictationProfile.CodingKeys.allCases.map(\.rawValue)
        let keys = options.keys.map { $0.string ?? "" }
        if let unknown = keys.first(where: { !known.contains($0) }) {
            throw failure("“\(unknown)” in “\(name)” is no option; the options are \(known.joined(separator: ", "))")
        }
        do {
            return try YAMLDecoder().decode(DictationProfile.self, from: node)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
            let key = context.codingPath.first?.stringValue ?? "an option"
            throw failure("the value of “\(key)” in “\(name)” does not fit")
        } catch {
            throw failure("a value in “\(name)” does not fit")
        }
    }

    private func failure(_ reason: String) -> CommandError {
        CommandError(.badProfile, .configuration, "The profiles in \(path) cannot be used: \(reason).")
    }
}

/// Options of `voicegate dictate` under a name; each key is an option's name.
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
    /// Files and folders; `~/` at the beginning is the person's home.
    var words: [String]?
    var grammar: String?
    var task: TaskHint?
    var alternatives: Int?
}
