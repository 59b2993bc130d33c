import Foundation

/// A line of `voicegate audit records --json`.
public struct Record {
    public let index: Int
    public let kind: String
    public let fields: [String: Any]

    public struct Malformed: Error { let line: String }

    public init(line: String) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let index = object["index"] as? Int, let kind = object["kind"] as? String
        else { throw Malformed(line: line) }
        self.index = index
        self.kind = kind
        fields = object["fields"] as? [String: Any] ?? [:]
    }

    /// Whether it says what came of a decision, and not only that one was asked for.
    public var isDecision: Bool { kind.hasPrefix("decision.") && kind != "decision.asked" }

    /// Whether any of its fields has the text.
    public func mentions(_ text: String) -> Bool { fields.values.contains { "\($0)".contains(text) } }

    public func text(_ name: String) -> String? { fields[name] as? String }
}
