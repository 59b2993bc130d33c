import Authorization
import Foundation
import Hummingbird
import Retention
import SocketAPI

/// `/v1/settings`: what was decided, and the person's way to decide otherwise. Changing is for VoiceGate's own command
/// line alone, so that no client decides about itself.
struct SettingsRoutes {
    let clients: ClientResolver
    let gate: Gate
    let overview: SettingsOverview
    let items: ItemStore
    let mode: ServiceMode

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("settings", use: show)
        group.get("settings/changes", use: changes)
        group.put("settings/:client", use: change)
        group.delete("settings", use: resetAll)
        group.delete("settings/:client", use: resetClient)
    }

    private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let reader = try await reader(context)
        return try Response(
            json: await overview.reply(forUser: try user(request, reader), language: reader.noticeLanguage))
    }

    private func changes(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let reader = try await reader(context)
        return Response(lines: overview.replies(forUser: try user(request, reader), language: reader.noticeLanguage))
    }

    private func change(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let body = try await request.json(SettingsChange.self)
        let person = try await person(context)
        let caller = person.caller
        let client = try identifier(context)
        let user = try user(request, person)
        let key = DecisionKey(user: user, client: client, resource: body.resource)
        switch body.choice {
        case .allow:
            // Root that acts for others is known by the kernel's word alone: a server has nobody at a terminal.
            guard person.presence == .foreground || user != caller.user else { throw RouteError.onlyInForeground }
            try await allow(body, key, person)
        case .deny:
            try await gate.decide(
                .denied, for: key, program: nil, notice: await notice(key, person), by: caller)
        case .ask:
            try await reset(key, person)
        }
        return Response(status: .noContent)
    }

    /// What is not said stays as it is, so that a change of one thing never widens another.
    private func allow(_ change: SettingsChange, _ key: DecisionKey, _ person: Requester) async throws {
        let program = try await clients.program(of: key.client, user: key.user)
        let manifest = await clients.manifests(of: key.user)[key.client]
        let terms = await gate.settled(key).decision?.terms
        let hasPhrases = key.resource == .speechRecognition && manifest?.phrases.isEmpty == false
        if change.fidelity == .reduced, !hasPhrases {
            throw RouteError(
                .invalidValue,
                "Reduced fidelity is for speech recognition of a client that declares phrases (VoiceGatePhrases), and "
                    + "this is none. Allow it without.")
        }
        if change.scope == .once {
            throw RouteError(.invalidValue, "Once is an answer to a prompt and no setting. Use ask instead of allow.")
        }
        let preferred: Fidelity = hasPhrases && manifest?.prefersReducedFidelity == true ? .reduced : .full
        try await gate.decide(
            .authorized, for: key, program: program, scope: change.scope ?? terms?.scope ?? .whileInUse,
            fidelity: change.fidelity ?? terms?.fidelity ?? preferred, notice: await notice(key, person),
            by: person.caller)
    }

    /// What settings show the person about the client, in their language.
    private func notice(_ key: DecisionKey, _ person: Requester) async -> Notice? {
        await clients.manifests(of: key.user)[key.client].map {
            Notice(settingsOf: $0, resource: key.resource, language: person.noticeLanguage, engine: gate.engine)
        }
    }

    /// Takes along what was kept with a yes for one session, too, of which nothing is stored.
    private func reset(_ key: DecisionKey, _ person: Requester) async throws {
        try await gate.reset(key, notice: await notice(key, person), by: person.caller)
        try await items.erase(ItemSelection(key), for: .withdrawn)
    }

    private func resetClient(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let person = try await person(context)
        let client = try identifier(context)
        let user = try user(request, person)
        for resource in try resources(request) {
            try await reset(DecisionKey(user: user, client: client, resource: resource), person)
        }
        return Response(status: .noContent)
    }

    private func resetAll(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let person = try await person(context)
        let chosen = Set(try resources(request))
        let user = try user(request, person)
        for key in await gate.settledKeys(ofUser: user) where chosen.contains(key.resource) {
            try await reset(key, person)
        }
        for resource in chosen {
            try await items.erase(ItemSelection(user: user, resource: resource), for: .withdrawn)
        }
        return Response(status: .noContent)
    }

    /// What was decided about one client is not for the others.
    private func reader(_ context: ServiceContext) async throws -> Requester {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isCommandLine(requester) else {
            throw RouteError(
                .notAllowed,
                "Settings are shown and changed by the person alone: voicegate settings, or voicegate reset.")
        }
        return requester
    }

    private func person(_ context: ServiceContext) async throws -> Requester {
        let requester = try await reader(context)
        guard clients.isPerson(requester) else {
            throw RouteError(
                .notAllowed,
                "\(requester.caller.executable.path) runs this command, and settings are changed by the person alone. "
                    + "Run it yourself at a terminal.")
        }
        return requester
    }

    /// Whose settings: the caller's own, or, for root, those that `user` names.
    private func user(_ request: Request, _ requester: Requester) throws -> UInt32 {
        let own = requester.caller.user
        guard let text = request.uri.queryParameters["user"] else { return own }
        guard let user = UInt32(text) else { throw RouteError(.invalidValue, "user is a user's number.") }
        if user == own { return user }
        guard own == 0, mode == .enforced, clients.isPerson(requester) else {
            throw RouteError(
                .notAllowed, "Another user's settings are for root alone, and for the machine's own service.")
        }
        return user
    }

    private func identifier(_ context: ServiceContext) throws -> ClientIdentifier {
        guard let identifier = ClientIdentifier(rawValue: try context.parameters.require("client")) else {
            throw RouteError(.invalidValue, "A client is named by its bundle identifier, such as org.example.Editor.")
        }
        return identifier
    }

    private func resources(_ request: Request) throws -> [Resource] {
        guard let word = request.uri.queryParameters["resource"] else { return Resource.allCases }
        guard let resource = Resource(rawValue: String(word)) else {
            throw RouteError(.invalidValue, "A resource is speechRecognition or microphone.")
        }
        return [resource]
    }
}

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
