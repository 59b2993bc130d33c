import Authorization
import Foundation
import Hummingbird
import Server
import SocketAPI

/// `/v1/monitors`: a client registers for itself, the user for any client. Those that notify the user are the user's alone: a
/// program sees neither them nor what becomes of them.
package struct MonitorRoutes {
    private let service: MonitorService
    private let mode: ServiceMode
    private let check: @Sendable ([String]) async throws -> Void

    /// - Parameter check: throws if the recogniser cannot listen for the phrases.
    package init(
        service: MonitorService, mode: ServiceMode, check: @escaping @Sendable ([String]) async throws -> Void
    ) {
        (self.service, self.mode, self.check) = (service, mode, check)
    }

    package func add(to routes: Routes) {
        routes.on(.post, "monitors", for: .client, use: register)
        routes.on(.get, "monitors", for: .client, use: list)
        routes.follow("monitors/events", for: .client, use: events)
        routes.on(.post, "monitors/events/:event/acknowledgement", for: .client, use: acknowledge)
        routes.on(.delete, "monitors/:monitor", for: .client.alwaysServed, use: remove)
    }

    private func register(_ call: Call) async throws -> Response {
        guard mode == .advisory else {
            throw RouteError(
                .notAllowed,
                "The system's service starts no programs and has no desktop. For monitors, run your own service: "
                    + "voicegated, with VOICEGATE_SOCKET set to its socket.")
        }
        let body = try await call.request.json(MonitorRequest.self)
        let requester = try await subject(body, call)
        try checkAction(body, call, requester)
        guard let manifest = requester.client.manifest, !requester.isOnceAtMost else {
            throw RouteError(.notAllowed, "Only a client with a manifest can have monitors.")
        }
        guard let kind = MonitorKind(name: body.kind, phrase: body.phrase) else {
            throw RouteError(.invalidValue, "The kind of a monitor is soundBegan, or keyPhrase with a phrase.")
        }
        if let phrase = kind.phrase { try await check([phrase]) }
        let monitor = MonitorRegistration(
            identifier: UUID().uuidString.lowercased(), user: call.user, client: requester.client.identifier,
            kind: kind, action: body.action, isOnce: body.repeats == false)
        try await service.check(monitor, manifest)
        try await service.register(monitor, for: requester, by: call.requester.caller)
        return try Response(status: .created, json: await service.shown(monitor))
    }

    private func checkAction(_ body: MonitorRequest, _ call: Call, _ requester: Requester) throws(RouteError) {
        guard body.action == .start || call.isPerson && call.requester.presence == .foreground else {
            throw RouteError(
                .notAllowed,
                "Only you can register a monitor that notifies you, because no program learns what it hears. Run this "
                    + "yourself at a terminal: voicegate monitor add --client \(requester.client.identifier) --notify")
        }
    }

    private func subject(_ body: MonitorRequest, _ call: Call) async throws -> Requester {
        let caller = call.requester
        guard let name = body.client, name != caller.client.identifier.rawValue else { return caller }
        guard call.isPerson, caller.presence == .foreground else {
            throw RouteError(.notAllowed, "A client can register monitors only for itself.")
        }
        guard let client = ClientIdentifier(rawValue: name),
            let (_, requester) = await call.clients.registered(client, user: caller.caller.user)
        else {
            throw RouteError(.notFound, "No manifest describes this client, or its program cannot be read.")
        }
        return requester
    }

    private func list(_ call: Call) async throws -> Response {
        let client = call.isPerson ? nil : call.requester.client.identifier
        return try Response(
            json: MonitorsReply(monitors: await service.monitors(ofUser: call.user, client: client)))
    }

    /// Lines of `MonitorEvent`.
    private func events(_ call: Call) async throws -> Response {
        let reader = MonitorReader(MonitorOwner(call.requester), on: call.connection)
        // Before the stream, which may never be read.
        let watch = call.connection.watch { [service] in Task { await service.close(reader) } }
        await service.open(reader)
        return Response(lines: reader.events) { [service] in
            watch.cancel()
            await service.close(reader)
        }
    }

    private func acknowledge(_ call: Call) async throws -> Response {
        try await service.acknowledge(try call.parameter("event"), by: MonitorOwner(call.requester))
        return Response(status: .noContent)
    }

    private func remove(_ call: Call) async throws -> Response {
        let identifier = try call.parameter("monitor")
        let own = MonitorOwner(call.requester)
        let found = await service.book.monitors.first { monitor in
            monitor.identifier == identifier && monitor.user == call.user
                && (call.isPerson || MonitorOwner(monitor) == own)
        }
        guard let found else {
            throw RouteError(.notFound, "You have no monitor with this ID. List them: voicegate monitor list")
        }
        try await service.remove(found)
        return Response(status: .noContent)
    }
}
