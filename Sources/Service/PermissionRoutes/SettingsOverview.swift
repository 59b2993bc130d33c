import Authorization
import Server
import SocketAPI

/// What settings show of a user.
struct SettingsOverview: Sendable {
    let clients: ClientResolver
    let gate: Gate
    let problems: ProblemBoard

    /// Both resources of each client that has a manifest or a decision, sorted by client.
    ///
    /// - Parameter changed: only these clients, also if they have neither; `nil`: all.
    func reply(
        forUser user: UInt32, language: Language, changed: Set<ClientIdentifier>? = nil
    ) async -> SettingsReply {
        let manifests = await clients.manifests(of: user)
        let shown: Set<ClientIdentifier>
        if let changed {
            shown = changed
        } else {
            shown = Set(await gate.settledKeys(ofUser: user).map(\.client)).union(manifests.keys)
        }
        var entries: [SettingsEntry] = []
        for client in shown.sorted(by: { $0.rawValue < $1.rawValue }) {
            entries += await self.entries(of: client, manifests[client], user, language)
        }
        let mute = await gate.mutes.covering(user)
        return SettingsReply(
            entries: entries, muted: mute != nil, mutedBy: MutedBy(mute, for: user),
            problems: await problems.all(of: user), isPartial: changed == nil ? nil : true)
    }

    private func entries(
        of client: ClientIdentifier, _ manifest: Manifest?, _ user: UInt32, _ language: Language
    ) async -> [SettingsEntry] {
        let registered = manifest.map { Client(manifest: $0) }
        let present = manifest == nil ? nil : try? await clients.program(of: client, user: user)
        var entries: [SettingsEntry] = []
        for resource in Resource.allCases {
            let standing = await gate.settled(
                DecisionKey(user: user, client: client, resource: resource), client: registered)
            let notice = manifest.map {
                Notice(
                    settingsOf: $0, resource: resource, language: language, engine: gate.engine,
                    collector: gate.collector, additions: standing.additions)
            }
            var entry = SettingsEntry(
                standing, manifest: manifest, notice: notice, present: present,
                isCarriedOver: await clients.carriesOver(standing.decision?.program, to: present, of: user))
            entry.agreementSHA256 = notice?.agreement.sha256
            entries.append(entry)
        }
        return entries
    }
}

/// The overview now, and then after each change the part that it concerns, made as it is read: for a slow reader only its place
/// is kept, and what changed meanwhile is one line. Other users' changes neither wake it nor are looked at.
struct SettingsEvents: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let overview: SettingsOverview
    let user: UInt32
    let language: Language
    private var cursor: ChangeCursor?

    init(overview: SettingsOverview, user: UInt32, language: Language) {
        (self.overview, self.user, self.language) = (overview, user, language)
    }

    func makeAsyncIterator() -> SettingsEvents { self }

    mutating func next() async -> SettingsReply? {
        let history = overview.gate.history
        guard let place = cursor else {
            // Before the reply is made, so that changes meanwhile make a new one.
            cursor = history.last(ofUser: user)
            return await overview.reply(forUser: user, language: language)
        }
        switch await history.updates(ofUser: user, after: place, limit: history.capacity) {
        case .updates(let updates):
            cursor = updates.last?.cursor
            let keys = updates.map(\.key)
            let changed = keys.contains(nil) ? nil : Set(keys.compactMap { $0?.client })
            return await overview.reply(forUser: user, language: language, changed: changed)
        case .gap:
            cursor = history.last(ofUser: user)
            return await overview.reply(forUser: user, language: language)
        case .cancelled: return nil
        }
    }
}
