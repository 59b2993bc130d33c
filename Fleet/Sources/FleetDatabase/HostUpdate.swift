/// The changes of a host's row by one transaction that has locked it, as one statement.
struct HostUpdate {
    private let host: Int64
    private var assignments: [String] = []
    private var values: [String?] = []

    init(of host: Int64) { self.host = host }

    mutating func set(_ column: String, _ value: String) {
        values.append(value)
        assignments.append("\(column) = $\(values.count + 1)")
    }

    /// Sets a column to the value of an expression of SQL.
    mutating func set(_ column: String, to expression: String) { assignments.append("\(column) = \(expression)") }

    /// - Returns: empty without changes.
    var statements: [Statement] {
        guard !assignments.isEmpty else { return [] }
        return [
            Statement(
                "UPDATE fleet.host SET \(assignments.joined(separator: ", ")) WHERE id = $1", [String(host)] + values)
        ]
    }
}
