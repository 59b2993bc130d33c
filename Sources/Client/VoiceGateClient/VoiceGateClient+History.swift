import Foundation
import SocketAPI

/// What VoiceGate keeps for the person. Only its own command may ask, run by the person.
extension VoiceGateClient {
    /// What is kept, oldest first.
    ///
    /// - Parameters:
    ///   - client: only what was heard for this client.
    ///   - since: only what was kept then or later.
    ///   - texts: whether transcripts come with their text.
    public func history(client: String? = nil, since: Date? = nil, texts: Bool = false) async throws
        -> EventStream<HistoryEntry>
    {
        let query = [
            client.map { "client=\(escaped($0))" }, since.map { "since=\(escaped($0.ISO8601Format()))" },
            texts ? "texts=true" : nil,
        ].compactMap { $0 }
        return try await stream(.GET, "/v1/history" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    /// What would be kept for which client, and what of it was agreed to.
    public func keeping() async throws -> KeepingReply { try await answer(.GET, "/v1/history/keeping") }

    /// The data of an item, piece by piece: a recording as WAV, a transcript as lines of `KeptUtterance`.
    public func keptContent(_ item: String) async throws -> KeptBytes {
        let exchange = try await Exchange(socketPath: socketPath)
        exchange.send(head(.GET, "/v1/history/items/\(escaped(item))"), nil)
        _ = try await exchange.response()
        return KeptBytes(exchange: exchange)
    }

    /// Erases items for good.
    ///
    /// - Returns: how many they were.
    public func erase(items: [String]) async throws -> Int {
        try await erased("items=" + items.map(escaped).joined(separator: ","))
    }

    /// Erases all of a client; `nil`: all that is kept.
    ///
    /// - Returns: how many items they were.
    public func eraseHistory(of client: String?) async throws -> Int {
        try await erased(client.map { "client=\(escaped($0))" } ?? "all=true")
    }

    private func erased(_ query: String) async throws -> Int {
        let reply: ErasureReply = try await answer(.DELETE, "/v1/history?" + query)
        return reply.erased
    }
}
