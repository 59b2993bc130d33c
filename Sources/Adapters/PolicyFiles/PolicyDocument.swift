import Authorization
import Base
import Foundation
import LinuxSystem
import Yams

/// The text of a policy file, as rules.
///
/// ```yaml
/// deny:
///   - resource: microphone      # or speechRecognition, or all; required
///     client: org.example.notes # or "*", the default
///     user: alice               # a name or a number, or "*", the default
///     days: [mon, tue, wed]     # on which the hours begin; by default every day
///     hours: "22:00-06:00"      # or a list; by default the whole day
///     reason: No recording in this building.
/// ```
///
/// Packaging/policy.schema.json describes the format for editors, and Documentation/Policy.md for users.
///
/// Every unknown key is an error: a misspelt rule must not be ignored silently.
struct PolicyDocument {
    /// Bytes.
    static let sizeLimit = 64_000
    static let ruleLimit = 1000
    static let lineLimit = 500
    static let bracketLimit = 500

    let rules: [PolicyRule]

    init(parsing data: Data) throws(PolicyFileError) {
        guard let text = String(data: data, encoding: .utf8), !text.contains("\0") else {
            throw PolicyFileError(code: .notYAML, message: "The file is not text in UTF-8. Write it as YAML.")
        }
        try Self.checkBounds(text)
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw Self.notYAML(error)
        } catch {
            throw PolicyFileError(code: .notYAML, message: "The file is not YAML. Write it as a mapping with “deny”.")
        }
        // A file that was truncated must not lose its denials, so “no rules” must be explicit.
        guard let root, root.scalar?.string.isEmpty != true else { throw Self.missingDeny }
        guard let deny = try PolicyFields(root, of: "a policy", allowed: ["deny"])["deny"] else {
            throw Self.missingDeny
        }
        guard let list = deny.sequence else {
            throw PolicyFileError(
                code: .wrongType, line: deny.mark?.line, message: "“deny” is not a list. Write “deny: []” for none.")
        }
        guard list.count <= Self.ruleLimit else {
            throw PolicyFileError(
                code: .tooComplex, message: "The file has more than \(Self.ruleLimit) rules. Spread them over files.")
        }
        rules = try list.map(Self.rule)
    }

    private static func rule(_ node: Node) throws(PolicyFileError) -> PolicyRule {
        let fields = try PolicyFields(
            node, of: "a rule", allowed: ["resource", "client", "user", "days", "hours", "reason"])
        guard fields["resource"] != nil else {
            throw PolicyFileError(
                code: .missingKey, line: node.mark?.line,
                message: "A rule lacks “resource”. Write microphone, speechRecognition or all.")
        }
        let resource = try fields.value(
            "resource", orAll: "all", "Write microphone, speechRecognition or all.", Resource.init(rawValue:))
        let client = try fields.value(
            "client", orAll: "*", "Write a bundle identifier or \"*\".", ClientIdentifier.init(rawValue:))
        let user = try fields.value(
            "user", orAll: "*", "Write a user's name or number on this machine, or \"*\"."
        ) { UInt32($0) ?? ($0.first?.isNumber == false ? UserNames.number(of: $0) : nil) }
        let reason = try fields.text("reason").map { DisplayText.cleaned($0, limit: 200) }
        return PolicyRule(
            resource: resource, client: client, user: user, hours: try PolicyTimes.hours(fields), reason: reason)
    }

    /// Bounds the nesting, which the parser follows by recursion, and refuses anchors, which it expands. The length of a line
    /// bounds block nesting, since each level is indented further; the number of brackets bounds flow nesting.
    private static func checkBounds(_ text: String) throws(PolicyFileError) {
        var number = 1
        var length = 0
        var brackets = 0
        var inWord = false
        var afterAnchorSign = false
        for scalar in text.unicodeScalars {
            length += 1
            // YAML 1.1's line ends.
            if ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) { length = 0 }
            if scalar == "\n" { number += 1 }
            if scalar == "[" || scalar == "{" { brackets += 1 }
            guard !afterAnchorSign || scalar.properties.isWhitespace else {
                throw PolicyFileError(
                    code: .tooComplex, line: number, message: "A policy has no anchors (&name). Write each rule out.")
            }
            guard length <= lineLimit else {
                throw PolicyFileError(
                    code: .tooComplex, line: number,
                    message: "The line is longer than \(lineLimit) characters. Break it.")
            }
            // Inside a word, as in “R&D”, the sign does not start an anchor.
            afterAnchorSign = scalar == "&" && !inWord
            inWord = scalar == "&" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        guard brackets <= bracketLimit else {
            throw PolicyFileError(
                code: .tooComplex, message: "The file has more than \(bracketLimit) brackets. Write rules as lines.")
        }
    }

    private static let missingDeny = PolicyFileError(
        code: .missingKey, message: "The file has no “deny”. Write its rules, or “deny: []” for none.")

    private static func notYAML(_ error: YamlError) -> PolicyFileError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            PolicyFileError(code: .notYAML, line: mark.line, message: "The file is not valid YAML: \(problem).")
        case .duplicatedKeysInMapping(_, let context):
            PolicyFileError(code: .notYAML, line: context.mark.line, message: "A key appears twice. Keep one.")
        default:
            PolicyFileError(code: .notYAML, message: "The file is not valid YAML. Write it as a mapping with “deny”.")
        }
    }
}

/// `hours` and `days` of a rule.
enum PolicyTimes {
    static let windowLimit = 24

    /// - Returns: `nil` when the rule names neither.
    static func hours(_ fields: PolicyFields) throws(PolicyFileError) -> PolicyHours? {
        let windows = try fields.values(
            "hours", limit: windowLimit, "Write \"22:00-06:00\", in quotation marks, or a list of them.", window)
        let days = try fields.values(
            "days", limit: Weekday.allCases.count, "Write a list of mon, tue, wed, thu, fri, sat, sun.",
            Weekday.init(rawValue:))
        return windows.isEmpty && days.isEmpty ? nil : PolicyHours(windows: windows, days: Set(days))
    }

    /// `HH:MM-HH:MM`, of which the second may be 24:00.
    private static func window(_ word: String) -> PolicyHours.Window? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = minutes(parts[0]), let end = minutes(parts[1]) else { return nil }
        return PolicyHours.Window(start: start, end: end)
    }

    private static func minutes(_ word: Substring) -> Int? {
        let bytes = Array(word.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        return minute < 60 && (hour < 24 || hour == 24 && minute == 0) ? hour * 60 + minute : nil
    }
}

/// `engines.yaml`: the external engines that an administrator allows although they are on another host or belong to another
/// user. This is the only file that allows something; it grants nothing to a client, and the user is still asked about each
/// engine.
///
/// ```yaml
/// allow:
///   - tcp://whisper.example:10300
///   - unix:///run/whisper/whisper.sock
/// ```
public struct EnginePermissions: Sendable, Hashable {
    /// Exact locations; no patterns.
    public let allowed: Set<String>

    private static let sizeLimit = 64_000
    private static let entryLimit = 100

    /// - Parameter path: need not exist.
    /// - Throws: when the file cannot be used, or users other than root can write it.
    public init(path: String) throws(PolicyFileError) {
        let file: RegularFile
        do throws(FileError) {
            file = try RegularFile(path: path, limit: Self.sizeLimit)
        } catch {
            guard error.code == .missing else {
                throw PolicyFileError(code: .unreadable, message: "\(path): \(error.reason).")
            }
            allowed = []
            return
        }
        let metadata = file.metadata
        guard metadata.owner == 0, !metadata.isWritableByAll, !metadata.isWritableByGroup else {
            throw PolicyFileError(
                code: .unreadable,
                message: "\(path) allows engines, so it must belong to root and only root may write it: "
                    + "chown root, chmod go-w.")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: String(decoding: file.data, as: UTF8.self))
        } catch {
            throw PolicyFileError(code: .notYAML, message: "\(path) is not YAML. Write a mapping with “allow”.")
        }
        guard let root else {
            throw PolicyFileError(
                code: .missingKey, message: "\(path) has no “allow”. Write a list, or remove the file.")
        }
        let fields = try PolicyFields(root, of: "engines.yaml", allowed: ["allow"])
        allowed = Set(try fields.words("allow", limit: Self.entryLimit) ?? [])
    }
}
