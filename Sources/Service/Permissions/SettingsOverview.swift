import Authorization
import SocketAPI

/// Puts together what settings show to a user.
struct SettingsOverview {
    let clients: ClientResolver
    let gate: Gate
    let problems: ProblemBoard

    /// Both resources of each client that has a manifest or about which something is decided, by client.
    func reply(forUser user: UInt32) async -> SettingsReply {
        let manifests = await clients.manifests()
        let decided = Set(await gate.settledKeys(ofUser: user).map(\.client))
        var entries: [SettingsEntry] = []
        for client in decided.union(manifests.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
            let present = manifests[client] == nil ? nil : try? await clients.program(of: client)
            for resource in Resource.allCases {
                let standing = await gate.settled(DecisionKey(user: user, client: client, resource: resource))
                let isCarriedOver = await clients.carriesOver(standing.decision?.program, to: present)
                entries.append(
                    SettingsEntry(
                        standing, manifest: manifests[client], present: present, isCarriedOver: isCarriedOver))
            }
        }
        return SettingsReply(entries: entries, muted: await gate.isMuted, problems: await problems.all())
    }

    /// The overview at once, and again whenever it may have changed. A reader that is slow gets the newest alone.
    func replies(forUser user: UInt32) -> AsyncStream<SettingsReply> {
        let (replies, continuation) = AsyncStream.makeStream(
            of: SettingsReply.self, bufferingPolicy: .bufferingNewest(1))
        let following = Task {
            // A change that comes while one is looked at is looked at again, however many there were.
            let (news, isNews) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let changes = await gate.changes()
            let watching = Task {
                for await change in changes where change.key == nil || change.key?.user == user { isNews.yield() }
                isNews.finish()
            }
            isNews.yield()
            var last: SettingsReply?
            for await _ in news {
                let reply = await reply(forUser: user)
                if reply != last { continuation.yield(reply) }
                last = reply
            }
            watching.cancel()
            continuation.finish()
        }
        continuation.onTermination = { _ in following.cancel() }
        return replies
    }
}
