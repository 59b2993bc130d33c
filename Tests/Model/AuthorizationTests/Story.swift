import Foundation
import Testing

@testable import Authorization

/// A test of the gate that reads as a transcript: each line is an action, with what comes of it behind an arrow.
///
/// `Tests/Stories` has a file for each suite. `##` begins a story with its title; what is before the first one happens in all. A
/// line `each answer=deny record=denied` tells the story once with these words in the place of `{answer}` and `{record}`, in which
/// "_" is a space; with lines of other words each is combined. "…" is any text, and `#` begins a comment.
///
/// An action without an arrow must succeed, and may come to anything else; `prompts` and `records` then pass over what they list.
/// `A: ask microphone` only begins it, and `end A` waits for what it comes to; `until waiters microphone → 2` repeats it until it
/// comes to that; `3 times: ask microphone by copy{n}` takes it for each number. `StoryWorld` has the actions.
struct Story: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        let line: Int
        let action: String
        let expected: String?
    }

    private(set) var title: String
    private let path: String
    private(set) var steps: [Step]

    var testDescription: String { "\(name): \(title)" }

    private var name: String { URL(filePath: path).deletingPathExtension().lastPathComponent }

    /// Those of all files.
    static let all: [Story] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Stories")
            .standardizedFileURL
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        precondition(!names.isEmpty, "no stories in \(folder.path)")
        return names.sorted().flatMap { stories(folder.appending(path: $0)) }
    }()

    /// The stories of a file, in its order.
    static func stories(_ file: URL) -> [Story] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            preconditionFailure("cannot read \(file.path)")
        }
        var beginning: [Step] = []
        var stories: [(story: Story, variants: [[String: String]])] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("## ") {
                stories.append((Story(title: String(line.dropFirst(3)), path: file.path, steps: beginning), []))
            } else if line.hasPrefix("each ") {
                stories[stories.count - 1].variants.append(Words(line).values)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                let parts = line.components(separatedBy: " → ")
                let isListing = ["prompts", "records"].contains(line)
                let expected = parts.count > 1 ? parts.dropFirst().joined(separator: " → ") : isListing ? "…" : nil
                let step = Step(line: index + 1, action: parts[0], expected: expected)
                if stories.isEmpty {
                    beginning.append(step)
                } else {
                    stories[stories.count - 1].story.steps.append(step)
                }
            }
        }
        return stories.flatMap { story, variants in
            Dictionary(grouping: variants) { $0.keys.sorted() }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .reduce([story]) { stories, group in stories.flatMap { story in group.value.map(story.with) } }
        }
    }

    private func with(_ words: [String: String]) -> Story {
        func filled(_ text: String, _ words: [String: String]) -> String {
            words.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
        }
        var story = self
        story.title += " (\(words.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")))"
        story.steps = steps.map {
            Step(
                line: $0.line, action: filled($0.action, words),
                expected: $0.expected.map { filled($0, words.mapValues(Words.spaced)) })
        }
        return story
    }

    /// Reports each step that came to something else.
    func run() async {
        let world = StoryWorld()
        for step in steps {
            let outcome = await world.take(step)
            guard !Self.matches(outcome, step.expected) else { continue }
            let place = SourceLocation(
                fileID: "AuthorizationTests/\(name).txt", filePath: path, line: step.line, column: 1)
            Issue.record(
                "\(testDescription), line \(step.line): \(step.action) → \(outcome), not \(step.expected ?? "a success")",
                sourceLocation: place)
        }
        await world.end()
    }

    private static let failing = [
        "cancelled", "denied", "failed", "forgotten", "not permitted", "notDetermined", "refused", "restricted",
        "unknown",
    ]

    static func matches(_ outcome: String, _ expected: String?) -> Bool {
        guard let expected else {
            return !outcome.components(separatedBy: ", ").contains { part in
                part == "no" || Self.failing.contains { part.hasPrefix($0) }
            }
        }
        let parts = expected.components(separatedBy: "…")
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return outcome == expected }
        guard outcome.hasPrefix(first), outcome.hasSuffix(last) else { return false }
        var rest = outcome[...]
        for part in parts where !part.isEmpty {
            guard let place = rest.range(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }
}

/// The words of an action: a verb, and what it is about.
struct Words: Sendable {
    let verb: String
    /// Those without a name.
    private(set) var plain: [String] = []
    /// Those behind `by`, `of`, `as` and `to`, and `key=value`.
    private(set) var values: [String: String] = [:]

    init(_ line: String) {
        var words = line.split(separator: " ").map(String.init)[...]
        verb = words.popFirst() ?? ""
        while let word = words.popFirst() {
            if ["by", "of", "as", "to"].contains(word), let value = words.popFirst() {
                values[word] = value
            } else if let equals = word.firstIndex(of: "=") {
                values[String(word[..<equals])] = String(word[word.index(after: equals)...])
            } else {
                plain.append(word)
            }
        }
    }

    /// The same of what another says, unless it is said here.
    func inheriting(_ other: Words?) -> Words {
        var words = self
        words.plain += other?.plain.dropFirst() ?? []
        words.values.merge(other?.values ?? [:]) { own, _ in own }
        return words
    }

    func has(_ word: String) -> Bool { plain.contains(word) }

    /// The words that no action knows, as after a slip of the pen; others than these are names.
    var unknown: [String] {
        if verb == "client" {
            return plain.dropFirst().filter { !Self.kindsOfClient.contains($0) }
                + values.keys.filter { !Self.keysOfClient.contains($0) }.sorted()
        }
        let words = plain.filter { word in
            switch verb {
            case "count", "record": return !Self.events.contains(word)
            case "hold": return word != "any" && !Self.events.contains(word)
            case "cancel", "collector", "end", "engine", "finish", "lease": return ["->", "→"].contains(word)
            default: break
            }
            let isKnown: [Any?] = [
                Resource(rawValue: word), Scope(rawValue: word), Fidelity(rawValue: word), Upgrade(rawValue: word),
                Answer(rawValue: word), AuthorizationStatus(rawValue: word), MonitorAction(rawValue: word),
                Absence(rawValue: word), Int(word),
            ]
            return isKnown.allSatisfy { $0 == nil } && !Self.flags.contains(word) && Self.milliseconds(word) == 0
        }
        return words + values.keys.filter { !Self.keys.contains($0) && Question.Kind(rawValue: $0) == nil }.sorted()
    }

    /// The ledger's events that a gate writes.
    private static let events: Set = [
        "accessBlocked", "asked", "carriedOver", "collectorChanged", "decidedInSettings", "deferred", "denied",
        "engineChanged", "expired", "granted", "muted", "noticeChanged", "noticeShown", "policyChanged",
        "refusalsCounted", "refusedByPolicy", "renewed", "restrictedByPolicy", "revokedByAdministrator", "unmuted",
        "upgradeRequested", "used", "withdrawn",
    ]
    private static let kindsOfClient: Set = [
        "code", "background", "managed", "script", "undeclared", "undescribed", "unregistered",
    ]
    private static let keysOfClient: Set = [
        "always", "describing", "from", "id", "japanese", "kept", "kinds", "language", "launch", "modes", "path",
        "phrases", "process", "purpose", "recipients", "retention", "sha256", "untrusted", "user",
    ]
    private static let flags: Set = [
        "absence", "altered", "checked", "dies", "fidelity", "finding", "gone", "intact", "managing", "muted", "nobody",
        "nothing", "notifying", "shown", "starting",
        "speech", "statuses", "unasked", "unknown", "unmuted", "user",
    ]
    private static let keys: Set = [
        "any", "as", "by", "denying", "hours", "of", "phrase", "purpose", "quota", "reason", "resetting", "reviewed",
        "send", "user",
    ]

    /// With spaces for "_".
    func text(_ name: String) -> String? { values[name].map(Self.spaced) }

    static func spaced(_ text: String) -> String { text.replacingOccurrences(of: "_", with: " ") }

    func list(_ name: String) -> [String] { text(name).map { $0.split(separator: ",").map(String.init) } ?? [] }

    /// The first word that names a value of the type.
    func first<Value: RawRepresentable<String>>(_: Value.Type) -> Value? { plain.lazy.compactMap(Value.init).first }

    var resource: Resource? { has("speech") ? .speechRecognition : first(Resource.self) }

    var number: Int? { plain.lazy.compactMap { Int($0) }.first }

    var milliseconds: Int64 { plain.reduce(0) { $0 + Self.milliseconds($1) } }

    /// Of `30d`, `-3d`, `10s` or `1ms`; zero for any other word.
    static func milliseconds(_ word: String) -> Int64 {
        let units: [(String, Int64)] = [("ms", 1), ("s", 1_000), ("h", 3_600_000), ("d", 86_400_000)]
        guard let (unit, length) = units.first(where: { word.hasSuffix($0.0) }) else { return 0 }
        return (Int64(word.dropLast(unit.count)) ?? 0) * length
    }
}
