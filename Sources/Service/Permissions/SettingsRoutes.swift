import Authorization
import Foundation
import Hummingbird
import SocketAPI

/// `/v1/settings`: what was decided, and the person's way to decide otherwise. Changing is for VoiceGate's own command
/// line alone, so that no client decides about itself.
struct SettingsRoutes {
    let clients: ClientResolver
    let gate: Gate
    let problems: ProblemBoard

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("settings", use: show)
        group.put("settings/:client", use: change)
        group.delete("settings", use: resetAll)
        group.delete("settings/:client", use: resetClient)
    }

    private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        let user = requester.caller.user
        let decisions = await gate.decisions(ofUser: user)
        let names = await clients.names()
        var entries: [SettingsReply.Entry] = []
        for client in Set(decisions.map(\.key.client)).union(names.keys).sorted(by: { $0.rawValue < $1.rawValue }) {
            for resource in Resource.allCases {
                let key = DecisionKey(user: user, client: client, resource: resource)
                let decision = decisions.first { $0.key == key }
                entries.append(
                    SettingsReply.Entry(
                        client: client.rawValue, name: names[client] ?? client.rawValue, resource: resource,
                        status: await gate.settledStatus(of: key), decidedAt: decision?.decidedAt,
                        indication: decision?.indication))
            }
        }
        return try Response(json: SettingsReply(entries: entries, problems: await problems.all()))
    }

    private func change(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await person(context)
        let body = try await request.json(SettingsChange.self)
        let client = try identifier(context)
        let key = DecisionKey(user: caller.user, client: client, resource: body.resource)
        switch body.choice {
        case .allow:
            let program = try await clients.program(of: client)
            try await gate.decide(
                .authorized, for: key, program: program, scope: body.scope ?? .whileInUse,
                fidelity: body.fidelity ?? .full, by: caller)
        case .deny:
            try await gate.decide(.denied, for: key, program: nil, by: caller)
        case .ask:
            try await gate.reset(key, by: caller)
        }
        return Response(status: .noContent)
    }

    private func resetClient(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await person(context)
        let client = try identifier(context)
        for resource in try resources(request) {
            try await gate.reset(DecisionKey(user: caller.user, client: client, resource: resource), by: caller)
        }
        return Response(status: .noContent)
    }

    private func resetAll(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await person(context)
        let chosen = Set(try resources(request))
        for decision in await gate.decisions(ofUser: caller.user) where chosen.contains(decision.key.resource) {
            try await gate.reset(decision.key, by: caller)
        }
        return Response(status: .noContent)
    }

    private func person(_ context: ServiceContext) async throws -> Caller {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isCommandLine(requester) else {
            throw RouteError(
                .notAllowed, "Settings are changed by the person alone: voicegate settings, or voicegate reset.")
        }
        guard clients.isPerson(requester) else {
            throw RouteError(
                .notAllowed,
                "\(requester.caller.executable.path) runs this command, and settings are changed by the person alone. "
                    + "Run it yourself at a terminal.")
        }
        return requester.caller
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
