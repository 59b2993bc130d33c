import Foundation
import Yams

/// What is wrong with a text that should be a YAML mapping, with the line, as the end of a sentence.
struct YAMLFault {
    let reason: String

    init(notMapping node: Node, in text: String) {
        reason =
            Self.blank(in: text) ?? "\(Self.place(node.mark?.line))it is not a list of keys and values"
    }

    /// - Parameter key: one that is not known.
    /// - Returns: `nil` unless the key has a blank that is not a space, which YAML takes for a letter.
    init?(blankInKey key: Node) {
        guard let text = key.string, let blank = Self.blank(in: text, from: key.mark?.line ?? 1) else { return nil }
        reason = blank
    }

    /// - Parameters:
    ///   - error: of the parser or the decoder.
    ///   - node: what was parsed.
    init(_ error: any Error, _ node: Node?, in text: String) {
        switch error {
        case let error as YamlError: reason = Self.reason(error, text)
        case let error as DecodingError: reason = Self.reason(error, node)
        default: reason = "it cannot be read as YAML"
        }
    }

    private static func reason(_ error: YamlError, _ text: String) -> String {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            // A key without “:” is found behind it.
            let line = problem.contains("':'") ? context?.mark.line ?? mark.line : mark.line
            let lines = text.split(whereSeparator: \.isNewline).count
            return tab(text, line) ?? blank(in: text)
                ?? "\(place(min(line, max(lines, 1))))it is not YAML (\(problem))"
        case .duplicatedKeysInMapping(let keys, _): return "the key “\(keys.first ?? "")” appears twice"
        case .reader: return "it has a character that YAML does not allow"
        default: return "it cannot be read as YAML"
        }
    }

    private static func reason(_ error: DecodingError, _ node: Node?) -> String {
        let (path, problem) =
            switch error {
            case .keyNotFound(let missing, let context): (context.codingPath, "has no “\(missing.stringValue)”")
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context.codingPath, "is of the wrong type")
            case .dataCorrupted(let context): (context.codingPath, "cannot be read")
            @unknown default: ([], "cannot be read")
            }
        guard let key = path.last else { return "it \(problem)" }
        let value = path.reduce(node) { $1.intValue == nil ? $0?[$1.stringValue] : $0 }
        return "\(place(value?.mark?.line))the value of “\(key.stringValue)” \(problem)"
    }

    private static func tab(_ text: String, _ line: Int) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(line - 1), lines[line - 1].contains("\t") else { return nil }
        return "\(place(line))there is a tab, where YAML takes spaces"
    }

    /// The first blank outside of comments that is not a space, such as the no-break space.
    private static func blank(in text: String, from first: Int = 1) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in zip(first..., lines) {
            let content = line.prefix { $0 != "#" }.unicodeScalars
            if let blank = content.first(where: { $0 != " " && $0.properties.generalCategory == .spaceSeparator }) {
                let code = String(format: "U+%04X", blank.value)
                return "\(place(number))there is a blank that is not a space (\(code))"
            }
        }
        return nil
    }

    private static func place(_ line: Int?) -> String { line.map { "in line \($0), " } ?? "" }
}
