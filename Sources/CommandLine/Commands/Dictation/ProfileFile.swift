import Base
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
    /// Sets an option of a dictation to its value in a profile, unless the option is given.
    private typealias Setting = @Sendable (Node, inout DictateOptions) throws -> Void

    static let longest = 64 * 1024

    /// By the keys of a profile.
    private static let settings: KeyValuePairs<String, Setting> = [
        "device": single(\.device), "waitForDevice": single(\.waitForDevice),
        "stopAfterSilence": single(\.stopAfterSilence), "endSilence": single(\.endSilence),
        "temporaryFull": single(\.temporaryFull), "level": single(\.level), "partial": single(\.partial),
        "to": single(\.delivery.to), "exec": single(\.delivery.exec), "atEnd": single(\.delivery.atEnd),
        "filters": list(\.delivery.filter), "punctuation": single(\.form.punctuation),
        "replacements": single(\.form.replacements, fromHome), "scratchThat": single(\.scratchThat),
        "tones": single(\.tones), "toneDevice": single(\.toneDevice),
        "contextPhrases": list(\.words.contextPhrase), "words": list(\.words.words, fromHome),
        "grammar": single(\.words.grammar, fromHome), "task": single(\.words.task),
        "alternatives": single(\.words.alternatives), "language": single(\.words.language),
    ]

    let path: String

    /// Sets the options of a profile; given options take precedence, and lists are joined.
    ///
    /// - Throws: `CommandError` with `badProfile` if there is no such profile, or it has an unknown option or a bad value.
    func apply(_ name: String, to options: inout DictateOptions) throws(CommandError) {
        let text: String
        do throws(FileError) {
            text = try RegularFile(path: path, limit: Self.longest).text()
        } catch {
            throw failure(
                error.code == .missing ? "the file does not exist; see Documentation/Delivery.md" : error.reason)
        }
        let root: Node?
        do {
            root = try compose(yaml: text)
        } catch {
            throw failure("it is not valid YAML")
        }
        guard let mapping = root?.mapping else { throw failure("it is not a mapping of names") }
        guard let node = mapping[Node(name)] else {
            let names = mapping.keys.compactMap(\.string).joined(separator: ", ")
            throw CommandError(
                .badProfile, "No profile “\(name)” in \(path). Available: \(names.isEmpty ? "none" : names).")
        }
        if node.null != nil { return }
        guard let profile = node.mapping else { throw failure("“\(name)” is not a mapping of options") }
        let known = Self.settings.map(\.key)
        let keys = profile.keys.map { $0.string ?? "" }
        if let unknown = keys.first(where: { !known.contains($0) }) {
            throw CommandError(
                .badProfile,
                "Unknown option “\(unknown)” in the profile “\(name)” in \(path)."
                    + Suggestion.question(unknown, in: known) + " The options: \(known.joined(separator: ", ")).")
        }
        let given = options.delivery
        for (key, set) in Self.settings {
            guard let value = profile[key], value.null == nil else { continue }
            do {
                try set(value, &options)
            } catch {
                throw failure("the value of “\(key)” in “\(name)” is invalid")
            }
        }
        // Where the text goes is one choice.
        if given.target != nil || given.exec != nil {
            (options.delivery.to, options.delivery.exec) = (given.to, given.exec)
        }
    }

    private static func single<Value: Decodable & SendableMetatype>(
        _ option: WritableKeyPath<DictateOptions, Value?> & Sendable,
        _ transform: @escaping @Sendable (Value) -> Value = { $0 }
    ) -> Setting {
        { node, options in
            let value = try YAMLDecoder().decode(Value.self, from: node)
            options[keyPath: option] = options[keyPath: option] ?? transform(value)
        }
    }

    private static func list(
        _ option: WritableKeyPath<DictateOptions, [String]> & Sendable,
        _ transform: @escaping @Sendable (String) -> String = { $0 }
    ) -> Setting {
        { node, options in
            let values = try YAMLDecoder().decode([String].self, from: node)
            options[keyPath: option] = values.map(transform) + options[keyPath: option]
        }
    }

    /// Expands `~/`, which no shell has done.
    private static func fromHome(_ path: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        return (ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()) + path.dropFirst()
    }

    private func failure(_ reason: String) -> CommandError {
        CommandError(.badProfile, "The profiles in \(path) cannot be used: \(reason).")
    }
}
