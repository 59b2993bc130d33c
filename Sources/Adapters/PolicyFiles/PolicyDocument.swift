import Authorization
import Foundation
import Yams

/// The text of a policy file, as rules.
///
/// ```yaml
/// deny:
///   - resource: microphone      # or speechRecognition, or all; required
///     client: org.example.notes # or "*", the default
///     user: alice               # a name or a number, or "*", the default
///     days: [mon, tue, wed]     # on which the hours begin; every day is the default
///     hours: "22:00-06:00"      # or a list of such; the whole day is the default
///     reason: No recording in this building.
/// ```
///
/// Packaging/policy.schema.json says the same for editors, and Documentation/policy.md for people.
///
/// Every unknown key is an error: a misspelt rule must not be silently without effect.
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
        // A file that was cut off to nothing must not lift its denials, so none at all has to be written down.
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
        var rules: [PolicyRule] = []
        for node in list { rules.append(try Self.rule(node)) }
        self.rules = rules
    }

    private static func rule(_ node: Node) throws(PolicyFileError) -> PolicyRule {
        let fields = try PolicyFields(
            node, of: "a rule", allowed: ["resource", "client", "user", "days", "hours", "reason"])
        guard let resourceWord = try fields.text("resource") else {
            throw PolicyFileError(
                code: .missingKey, line: node.mark?.line,
                message: "A rule lacks “resource”. Write microphone, speechRecognition or all.")
        }
        var resource: Resource?
        if resourceWord != "all" {
            guard let known = Resource(rawValue: resourceWord) else {
                throw fields.invalid("resource", "Write microphone, speechRecognition or all.")
            }
            resource = known
        }
        var client: ClientIdentifier?
        if let word = try fields.text("client"), word != "*" {
            guard let identifier = ClientIdentifier(rawValue: word) else {
                throw fields.invalid("client", "Write a bundle identifier or \"*\".")
            }
            client = identifier
        }
        var user: UInt32?
        if let word = try fields.text("user"), word != "*" {
            guard let known = UserNames.identifier(of: word) else {
                throw fields.invalid("user", "Write a user's name or number on this machine, or \"*\".")
            }
            user = known
        }
        let reason = try fields.text("reason").map { DisplayText.cleaned($0, limit: 200) }
        return PolicyRule(
            resource: resource, client: client, user: user, hours: try PolicyTimes.hours(fields), reason: reason)
    }

    /// The parser follows nesting by recursion and compares shared nodes as often as they are named. Block nesting is
    /// bounded by the length of a line, as each level begins further right; flow nesting by the number of brackets.
    private static func checkBounds(_ text: String) throws(PolicyFileError) {
        var number = 1
        var length = 0
        var brackets = 0
        var inWord = false
        var afterAnchorSign = false
        for scalar in text.unicodeScalars {
            length += 1
            // YAML 1.1's line ends; a carriage return before a line feed counts once for the length.
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
            // Inside a word, as in “R&D”, the sign begins no anchor.
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
            PolicyFileError(code: .notYAML, line: context.mark.line, message: "A key is there twice. Keep one.")
        default:
            PolicyFileError(code: .notYAML, message: "The file is not valid YAML. Write it as a mapping with “deny”.")
        }
    }
}
