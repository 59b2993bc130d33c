import Authorization
import Retention
import Server
import SocketAPI

/// What the user decides about clients without a prompt.
struct ClientSettings: Sendable {
    let clients: ClientResolver
    let gate: Gate
    let items: ItemStore

    /// - Parameter confirm: asks the person to confirm what permits more; returns who that is then, and what the dialog said.
    func change(
        _ change: SettingsChange, _ key: DecisionKey, _ person: Requester,
        confirm: @escaping @Sendable (ConfirmedAct) async throws -> (Requester, dialog: String?)
    ) async throws {
        try await checkIsKnown(key.client, to: key.user)
        switch change.choice {
        case .allow: try await allow(change, key, person, confirm: confirm)
        case .deny: try await deny(key, person)
        case .ask: try await reset(key, person)
        }
    }

    /// Checks that a decision can be about something. A misspelt name would seem to be denied, and invented ones would fill the
    /// log.
    func checkIsKnown(_ client: ClientIdentifier, to user: UInt32) async throws {
        if await clients.manifests(of: user)[client] != nil { return }
        if await gate.knows(client, ofUser: user) { return }
        let problem = await clients.current(of: user).catalog.problem(of: client)
        throw RouteError(
            .notFound,
            "No program \(client) is known, so nothing was decided. "
                + (problem ?? "voicegate settings lists the programs that are known."))
    }

    /// Absent fields keep their value, so that a change of one thing never widens another.
    ///
    /// - Parameter confirm: asks the person to confirm what permits more; returns who that is then, and what the dialog said.
    func allow(
        _ change: SettingsChange, _ key: DecisionKey, _ person: Requester,
        confirm: @escaping @Sendable (ConfirmedAct) async throws -> (Requester, dialog: String?)
    ) async throws {
        let program = try await clients.program(of: key.client, user: key.user)
        let manifest = await clients.manifests(of: key.user)[key.client]
        let hasPhrases = key.resource == .speechRecognition && manifest?.phrases.isEmpty == false
        try Self.check(change, hasPhrases: hasPhrases)
        let client = manifest.map { Client(manifest: $0) }
        let own = await notice(key, person)
        let isLowered = try await UnrecordedRevocation.reporting {
            try await gate.lower(
                key, change.scope, change.fidelity, program: program, client: client, notice: own, by: person.caller)
        }
        if isLowered { return }
        if let seen = change.agreementSHA256, seen != own?.agreement.sha256 {
            throw RouteError(
                .outdated,
                "What \(key.client) declares has changed since you read it. Read it again, then decide: voicegate settings "
                    + "\(key.client)")
        }
        try Self.check(program, change, key.client)
        let name = manifest?.localized(in: person.noticeLanguage).name
        try await gate.decide(
            .authorized, for: key, program: program, client: client, scope: change.scope, fidelity: change.fidelity,
            by: person.caller
        ) { [clients] scope, fidelity in
            let act = ConfirmedAct(allowing: key, name: name, program: program, scope: scope, fidelity: fidelity)
            let (decider, dialog) = try await confirm(act)
            // A confirmation takes its time.
            try Self.check(try await clients.program(of: key.client, user: key.user), change, key.client)
            return (own?.confirmed(by: dialog), decider.caller)
        }
    }

    /// Refuses what no grant can be.
    private static func check(_ change: SettingsChange, hasPhrases: Bool) throws(RouteError) {
        if change.fidelity == .reduced, !hasPhrases {
            throw RouteError(
                .invalidValue,
                "Reduced fidelity needs speech recognition and a client that declares phrases (VoiceGatePhrases). "
                    + "Allow it without.")
        }
        if change.scope == .once {
            throw RouteError(.invalidValue, "Once is an answer to a prompt, not a setting. Use ask instead of allow.")
        }
    }

    /// Refuses a grant for another program than the one that the user has read about.
    private static func check(
        _ program: AllowedProgram, _ change: SettingsChange, _ client: ClientIdentifier
    ) throws(RouteError) {
        guard let seen = change.programSHA256, seen != program.sha256 else { return }
        throw RouteError(
            .outdated,
            "The program of \(client) has changed since you read about it, so nothing was allowed. Look at it again, then "
                + "decide: voicegate settings \(client)")
    }

    /// What settings show about the client, in the user's language.
    private func notice(_ key: DecisionKey, _ person: Requester) async -> Notice? {
        await clients.manifests(of: key.user)[key.client].map {
            Notice(
                settingsOf: $0, resource: key.resource, language: person.noticeLanguage, engine: gate.engine,
                collector: gate.collector)
        }
    }

    func deny(_ key: DecisionKey, _ person: Requester) async throws {
        let notice = await notice(key, person)
        try await UnrecordedRevocation.reporting {
            try await gate.decide(.denied, for: key, program: nil, notice: notice, by: person.caller)
        }
    }

    /// Also erases what was kept with a grant for one use, which is not stored.
    func reset(_ key: DecisionKey, _ person: Requester) async throws {
        let notice = await notice(key, person)
        do {
            try await UnrecordedRevocation.reporting {
                try await gate.reset(key, notice: notice, by: person.caller)
            }
        } catch let error as UnrecordedRevocation {
            // A denial stays.
            let isDenied = await gate.settled(key).decision?.verdict == .denied
            throw isDenied ? error.reason : error as any Error
        }
        try await items.erase(ItemSelection(key), for: .withdrawn)
    }

    func reset(
        _ client: ClientIdentifier, ofUser user: UInt32, _ resources: [Resource], _ person: Requester
    ) async throws {
        var attempts = Attempts()
        for resource in resources {
            await attempts.run {
                try await reset(DecisionKey(user: user, client: client, resource: resource), person)
            }
        }
        try attempts.end()
    }

    /// Those of all clients.
    func resetAll(ofUser user: UInt32, _ chosen: Set<Resource>, _ person: Requester) async throws {
        var attempts = Attempts()
        for key in await gate.settledKeys(ofUser: user) where chosen.contains(key.resource) {
            await attempts.run { try await reset(key, person) }
        }
        for resource in chosen {
            await attempts.run {
                _ = try await items.erase(ItemSelection(user: user, resource: resource), for: .withdrawn)
            }
        }
        try attempts.end()
    }

    /// Things to do of which each is tried, whether or not another fails.
    private struct Attempts {
        private var failure: (any Error)?

        mutating func run(_ work: () async throws -> Void) async {
            do { try await work() } catch { failure = failure ?? error }
        }

        /// - Throws: the first error.
        func end() throws { if let failure { throw failure } }
    }
}
