import Authorization
import SocketAPI

/// Puts together what settings show to a user.
struct SettingsOverview {
    let clients: ClientResolver
    let gate: Gate
    let problems: ProblemBoard

    /// Both resources of each client that has a manifest or about which something is decided, by client.
    func reply(forUser user: UInt32, language: Language) async -> SettingsReply {
        let manifests = await clients.manifests(of: user)
        let decided = Set(await gate.settledKeys(ofUser: user).map(\.client))
        var entries: [SettingsEntry] = []
        for client in decided.union(manifests.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
            let present = manifests[client] == nil ? nil : try? await clients.program(of: client, user: user)
            for resource in Resource.allCases {
                let standing = await gate.settled(DecisionKey(user: user, client: client, resource: resource))
                let isCarriedOver = await clients.carriesOver(standing.decision?.program, to: present)
                entries.append(
                    SettingsEntry(
                        standing, manifest: manifests[client], present: present, isCarriedOver: isCarriedOver,
                        language: language, engine: gate.engine))
            }
        }
        return SettingsReply(entries: entries, muted: await gate.isMuted, problems: await problems.all(of: user))
    }

    /// The overview at once, and again whenever it may have changed. A reader that is slow gets the newest alone.
    func replies(forUser user: UInt32, language: Language) -> AsyncStream<SettingsReply> {
        let (replies, continuation) = AsyncStream.makeStream(
            of: SettingsReply.self, bufferingPolicy: .bufferingNewest(1))
        let following = Task {
            var last: SettingsReply?
            while !Task.isCancelled {
                // Before the look, so that what changes meanwhile is looked at again; many changes are one.
                let cursor = gate.history.last
                let reply = await reply(forUser: user, language: language)
                if reply != last { continuation.yield(reply) }
                last = reply
                _ = await gate.history.updates(after: cursor)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in following.cancel() }
        return replies
    }
}
