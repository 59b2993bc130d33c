import Foundation
import NIOCore
import SocketAPI
import protocol VoiceGateClient.ServiceConnection

/// What VoiceGate keeps for the user. Only VoiceGate's own command may call these.
extension ServiceClient {
    /// What is kept, oldest first.
    ///
    /// - Parameters:
    ///   - client: only what was heard for this client.
    ///   - since: only what was kept then or later.
    ///   - until: only what was kept before it.
    ///   - texts: whether transcripts come with their text.
    package func history(
        client: String? = nil, since: Date? = nil, until: Date? = nil, texts: Bool = false
    ) async throws -> EventStream<HistoryEntry> {
        try await stream(
            .GET, "/v1/history",
            query: [
                "client": client, "since": since?.ISO8601Format(), "until": until?.ISO8601Format(),
                "texts": texts ? "true" : nil,
            ])
    }

    /// What each client declares that is kept, and what of it the user agreed to.
    package func keeping() async throws -> KeepingReply { try await answer(.GET, "/v1/history/keeping") }

    /// The data of an item, piece by piece: a recording as WAV, a transcript as lines of `KeptUtterance`.
    /// Throws `ClientError`, also when the service breaks off in the middle.
    package func keptContent(_ item: String) async throws -> some AsyncSequence<[UInt8], any Error> {
        try await exchange(.GET, "/v1/history/items/\(escaped(item))").body.map { Array($0.readableBytesView) }
    }

    /// Erases items permanently.
    ///
    /// - Returns: how many were erased.
    package func erase(items: [String]) async throws -> Int {
        try await erased("items=" + items.map(escaped).joined(separator: ","))
    }

    /// Erases all items of a client; `nil`: of all clients.
    ///
    /// - Returns: how many were erased.
    package func eraseHistory(of client: String?) async throws -> Int {
        try await erased(client.map { "client=\(escaped($0))" } ?? "all=true")
    }

    private func erased(_ query: String) async throws -> Int {
        let reply: ErasureReply = try await answer(.DELETE, "/v1/history?" + query)
        return reply.erased
    }
}
