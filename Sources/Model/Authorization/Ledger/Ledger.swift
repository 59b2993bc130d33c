/// Where events are written down before they have effect, and where decisions are kept.
public protocol Ledger: Sendable {
    /// All stored decisions, at most one for each key.
    func decisions() async throws -> [Decision]

    /// What earlier records tell, read once when the gate begins.
    func recollection() async throws -> LedgerRecollection

    /// What records tell of kept items, by their identifiers; items that no record names are missing.
    func traces(of items: Set<String>) async throws -> [String: ItemTrace]

    /// Whether the last word about it was that everything is muted.
    func isMuted() async throws -> Bool

    /// Writes the event and, in the same transaction, the change to the stored decisions.
    ///
    /// A decision that is stored without a record gets the index of this one.
    ///
    /// - Returns: the record's index, once it is durable. After an error neither the record nor the change exists, and
    ///   the caller must behave as if the event had not happened, unless that would mean listening.
    @discardableResult
    func record(_ event: LedgerEvent, changing change: DecisionChange?) async throws -> UInt64
}

extension Ledger {
    /// Of a ledger that begins anew.
    public func recollection() async throws -> LedgerRecollection { LedgerRecollection() }

    public func traces(of items: Set<String>) async throws -> [String: ItemTrace] { [:] }
}
