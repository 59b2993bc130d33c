import Authorization
import Foundation
import Hummingbird
import SocketAPI
import Speech

/// `/v1/monitors`: a client registers for itself, the user for any client.
struct MonitorRoutes {
    let clients: ClientResolver
    let service: MonitorService
    let mode: ServiceMode
    /// Throws if the recogniser cannot listen for the phrases.
    let check: @Sendable ([String]) async throws -> Void

    func add(to group: RouterGroup<ServiceContext>) {
        group.post("monitors", use: register)
        group.get("monitors", use: list)
        group.delete("monitors/:monitor", use: remove)
    }

    private func register(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, caller) = try await clients.requester(of: context)
        guard mode == .advisory else {
            throw RouteError(
                .notAllowed,
                "The system's service starts no programs and has no desktop. For monitors, run a service of your own: "
                    + "voicegated, with VOICEGATE_SOCKET set to its socket.")
        }
        let body = try await request.json(MonitorRequest.self)
        let requester = try await subject(body, caller)
        guard requester.client.manifest != nil, !requester.isOnceAtMost else {
            throw RouteError(.notAllowed, "Only a client with a manifest can have monitors.")
        }
        guard let kind = MonitorKind(name: body.kind, phrase: body.phrase) else {
            throw RouteError(.invalidValue, "The kind of a monitor is soundBegan, or keyPhrase with a phrase.")
        }
        if let phrase = kind.phrase { try await check([phrase]) }
        let monitor = MonitorRegistration(
            identifier: UUID().uuidString.lowercased(), user: caller.caller.user, client: requester.client.identifier,
            kind: kind, action: body.action)
        try await service.register(monitor, for: requester, by: caller.caller)
        return try Response(status: .created, json: await service.shown(monitor))
    }

    /// The client of the monitor.
    private func subject(_ body: MonitorRequest, _ caller: Requester) async throws -> Requester {
        guard let name = body.client, name != caller.client.identifier.rawValue else { return caller }
        guard clients.isPerson(caller), caller.presence == .foreground else {
            throw RouteError(.notAllowed, "A client can register monitors only for itself.")
        }
        guard let client = ClientIdentifier(rawValue: name),
            let (_, requester) = await clients.registered(client, user: caller.caller.user)
        else {
            throw RouteError(.notFound, "No manifest describes this client, or its program cannot be read.")
        }
        return requester
    }

    private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, caller) = try await clients.requester(of: context)
        let client = clients.isPerson(caller) ? nil : caller.client.identifier
        return try Response(
            json: MonitorsReply(monitors: await service.monitors(ofUser: caller.caller.user, client: client)))
    }

    private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, caller) = try await clients.requester(of: context)
        let monitor = try await service.book.monitor(try context.parameters.require("monitor"))
        guard monitor.user == caller.caller.user,
            clients.isPerson(caller) || monitor.client == caller.client.identifier
        else { throw RouteError(.notFound, "There is no such monitor of yours.") }
        try await service.remove(monitor)
        return Response(status: .noContent)
    }
}
