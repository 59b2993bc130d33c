/// What the gate needs to know of earlier records.
public struct LedgerRecollection: Sendable, Hashable {
    /// The last notice about each client, resource and language.
    public var notices: [ShownNotice]
    /// The record that made each decision in force.
    public var decisionRecords: [DecisionKey: UInt64]
    /// UUIDs of sessions that have a start and no end, in the order of their starts.
    public var openSessions: [String]

    public init(
        notices: [ShownNotice] = [], decisionRecords: [DecisionKey: UInt64] = [:], openSessions: [String] = []
    ) {
        self.notices = notices
        self.decisionRecords = decisionRecords
        self.openSessions = openSessions
    }
}
