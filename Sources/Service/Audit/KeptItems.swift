import Authorization

/// What the service keeps of sessions, as far as a person's erasure reaches it. Whoever keeps it writes down that it is
/// erased.
protocol KeptItems: Sendable {
    /// How many there are.
    func count(_ scope: RightsScope) async throws -> Int

    /// Returns when they are gone, and written down.
    ///
    /// - Returns: how many there were.
    func erase(_ scope: RightsScope) async throws -> Int
}
