import Consent

/// `consent.jsonld`: a JSON-LD 1.1 document in the words of DPV 2.3, a node for each record that DPV has words for; the
/// others are in `records.jsonl` alone. One node a line, so that its size does not matter.
public struct LinkedData: RecordFormat {
    /// The log's origin.
    private let log: String
    private var isFirst = true

    /// - Parameter log: the log's origin, from which the nodes get their names.
    public init(log: String) { self.log = log }

    public mutating func begin() -> String {
        "{\"@context\":\(Vocabulary.context.canonical),\"@graph\":[\n"
            + Vocabulary.definitions.map { line($0) }.joined()
    }

    public mutating func add(_ record: AuditRecord) -> String {
        guard let node = LinkedRecord(record, log: log).node else { return "" }
        return line(node)
    }

    public mutating func end(_ verification: ExportVerification) -> String { "]}\n" }

    private mutating func line(_ node: JSONValue) -> String {
        defer { isFirst = false }
        return (isFirst ? "" : ",") + node.canonical + "\n"
    }
}
