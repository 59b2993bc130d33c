import Authorization
import Hummingbird
import Retention
import Server
import SocketAPI

/// `/v1/settings`: the decisions, and how the user changes them. Only VoiceGate's own command may, so that no client decides
/// about itself.
struct SettingsRoutes {
    let clients: ClientResolver
    let gate: Gate
    let problems: ProblemBoard
    let items: ItemStore
    let mode: ServiceMode

    private var overview: SettingsOverview { SettingsOverview(clients: clients, gate: gate, problems: problems) }

    func add(to routes: Routes) {
        let refusal = "Only you can see and change settings: voicegate settings, or voicegate reset."
        // A change that permits more is confirmed by `allow`; revoking needs no more than being the user.
        let person = RouteAccess.person(refusal).alwaysServed
        // A program that runs the command line must not learn about the user's other programs.
        routes.on(.get, "settings", for: person) { call in
            try Response(json: await overview.reply(forUser: try user(call), language: call.requester.noticeLanguage))
        }
        routes.follow("settings/changes", for: .person(refusal)) { call in
            Response(
                lines: SettingsEvents(
                    overview: overview, user: try user(call), language: call.requester.noticeLanguage))
        }
        routes.on(.put, "settings/:client", for: person, taking: SettingsChange.self, use: change)
        routes.on(.delete, "settings", for: person, use: resetAll)
        routes.on(.delete, "settings/:client", for: person, use: resetClient)
    }

    private func change(_ body: SettingsChange, _ call: Call) async throws -> Response {
        let person = call.requester
        let client = try call.clientParameter()
        let user = try user(call)
        let key = DecisionKey(user: user, client: client, resource: body.resource)
        try await checkIsKnown(client, to: user)
        switch body.choice {
        case .allow:
            try await allow(body, key, person) { try await confirmed($0, call, for: user) }
        case .deny:
            try await deny(key, person)
        case .ask:
            try await reset(key, person)
        }
        return Response(status: .noContent)
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
        let preferred: Fidelity = hasPhrases && manifest?.prefersReducedFidelity == true ? .reduced : .full
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
        let current = await gate.settled(key, client: client).decision?.terms
        // What is confirmed is granted, whatever the grant in force becomes meanwhile.
        let scope = change.scope ?? current?.scope ?? .whileInUse
        let fidelity = change.fidelity ?? current?.fidelity ?? preferred
        let act = ConfirmedAct(
            allowing: key, name: manifest?.localized(in: person.noticeLanguage).name, program: program, scope: scope,
            fidelity: fidelity)
        try await gate.decide(
            .authorized, for: key, program: program, client: client, scope: scope, fidelity: fidelity, by: person.caller
        ) { [clients] in
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

    /// The person who permits more: in the foreground, and in enforced mode confirmed by their password. Root acting for
    /// another user needs no foreground: a server may have no user at a terminal.
    ///
    /// - Returns: also what the dialog said.
    private func confirmed(
        _ act: ConfirmedAct, _ call: Call, for user: UInt32
    ) async throws -> (Requester, dialog: String?) {
        func check(_ person: Requester) throws(RouteError) {
            guard person.presence == .foreground || user != person.caller.user else { throw .onlyInForeground() }
        }
        try check(call.requester)
        guard let confirmation = mode.confirmation else { return (call.requester, nil) }
        let dialog = try await confirmation.confirm(
            act, in: call.requester.noticeLanguage, by: call.requester.caller)
        let person = try await call.requesterNow()
        guard call.clients.isPerson(person) else { throw RouteError.onlyInForeground() }
        try check(person)
        return (person, dialog)
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

    private func resetClient(_ call: Call) async throws -> Response {
        let client = try call.clientParameter()
        let user = try user(call)
        var attempts = Attempts()
        for resource in try resources(call) {
            await attempts.run {
                try await reset(DecisionKey(user: user, client: client, resource: resource), call.requester)
            }
        }
        try attempts.end()
        return Response(status: .noContent)
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

    private func resetAll(_ call: Call) async throws -> Response {
        let chosen = Set(try resources(call))
        let user = try user(call)
        var attempts = Attempts()
        for key in await gate.settledKeys(ofUser: user) where chosen.contains(key.resource) {
            await attempts.run { try await reset(key, call.requester) }
        }
        for resource in chosen {
            await attempts.run {
                _ = try await items.erase(ItemSelection(user: user, resource: resource), for: .withdrawn)
            }
        }
        try attempts.end()
        return Response(status: .noContent)
    }

    /// The user whose settings are meant: the caller, or for root the one that `user` names.
    private func user(_ call: Call) throws -> UInt32 {
        let own = call.user
        guard let user = try call.request.user(), user != own else { return own }
        guard own == 0, mode == .enforced, call.isPerson else {
            throw RouteError(
                .notAllowed, "Only root can see and change another user's settings, at the machine's own service.")
        }
        return user
    }

    private func resources(_ call: Call) throws -> [Resource] {
        try call.request.parameter("resource", "A resource is speechRecognition or microphone.") {
            Resource(rawValue: $0)
        }.map { [$0] } ?? Resource.allCases
    }
}
