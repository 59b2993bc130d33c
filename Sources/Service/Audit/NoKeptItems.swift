import Authorization

/// Of a service that keeps nothing.
struct NoKeptItems: KeptItems {
    func count(_ scope: RightsScope) async throws -> Int { 0 }
    func erase(_ scope: RightsScope) async throws -> Int { 0 }
}
