import Authorization
import Hummingbird
import Server
import SocketAPI

/// `/v1/settings`: the decisions, and how the user changes them. Only VoiceGate's own command may, so that no client decides
/// about itself.
struct SettingsRoutes {
    let settings: ClientSettings
    let overview: SettingsOverview
    let mode: ServiceMode

    func add(to routes: Routes) {
        let refusal = "Only you can see and change settings: voicegate settings, or voicegate reset."
        // A change that permits more is confirmed by `confirmed`; revoking needs no more than being the user.
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
        let client = try call.clientParameter()
        let user = try user(call)
        let key = DecisionKey(user: user, client: client, resource: body.resource)
        try await settings.change(body, key, call.requester) { try await confirmed($0, call, for: user) }
        return Response(status: .noContent)
    }

    private func resetClient(_ call: Call) async throws -> Response {
        let client = try call.clientParameter()
        try await settings.reset(client, ofUser: try user(call), resources(call), call.requester)
        return Response(status: .noContent)
    }

    private func resetAll(_ call: Call) async throws -> Response {
        let chosen = Set(try resources(call))
        try await settings.resetAll(ofUser: try user(call), chosen, call.requester)
        return Response(status: .noContent)
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
