import Authorization
import Consent
import Foundation
import Hummingbird
import Retention
import SocketAPI

/// `/v1/audit/erasures`: the user's right to erasure.
struct ErasureRoutes {
    let log: ConsentLog
    let registry: SessionRegistry
    let items: ItemStore

    func add(to routes: Routes) {
        let refusal = "Only you can erase records. Run voicegate audit erase yourself at a terminal."
        routes.on(.get, "audit/erasures", for: .person(refusal), use: rehearse)
        routes.on(
            .post, "audit/erasures",
            for: .person(refusal, inBackground: .onlyInForeground("erase records")), taking: RecordErasureRequest.self,
            confirming: { .eraseRecords(try scope($0, of: $1.requester)) }, use: erase)
    }

    private func rehearse(_ call: Call) async throws -> Response {
        let request = call.request
        let scope = try scope(
            RecordErasureRequest(
                client: request.text("client"), before: try request.time("before"), session: request.text("session"),
                user: try request.user()), of: call.requester)
        let result = try await log.erase(scope, running: await registry.runningSessions, rehearsing: true)
        return try Response(
            json: RecordErasureReply(
                records: result.erased, items: try await items.items(ItemSelection(scope)).count,
                kept: Self.shown(result, scope, to: call.user)))
    }

    private func erase(_ body: RecordErasureRequest, _ call: Call) async throws -> Response {
        try Response(json: await erase(try scope(body, of: call.requester), by: call.requester.caller))
    }

    /// Erases records and what is kept; the log has the request and its outcome.
    func erase(_ wanted: RightsScope, by caller: Caller) async throws -> RecordErasureReply {
        var scope = wanted
        let asked = RightsRequest(
            identifier: UUID().uuidString.lowercased(), right: .erasure, scope: scope, by: caller)
        let size = try await log.record(.requestReceived(asked), changing: nil)
        // Later sessions have their records after `size`; items are selected by their time.
        let records = scope
        scope.before = min(scope.before ?? .distantFuture, Date())
        do {
            let items = try await items.erase(ItemSelection(scope), for: .requested)
            let result = try await log.erase(
                records, upTo: size, running: await registry.runningSessions)
            let kept = Self.shown(result, scope, to: caller.user)
            try await log.record(
                .requestAnswered(
                    asked, kept.allSatisfy { $0.reason == .logItself } ? .fulfilled : .partly, records: result.erased,
                    items: items, kept: kept.map { ($0.records, $0.reason) }), changing: nil)
            return RecordErasureReply(
                records: result.erased, items: items, kept: kept, request: asked.identifier)
        } catch {
            // This error is reported, not that of recording it.
            _ = try? await log.record(.requestAnswered(asked, .failed), changing: nil)
            throw error
        }
    }

    private func scope(_ wish: RecordErasureRequest, of person: Requester) throws -> RightsScope {
        guard wish.client != nil || wish.before != nil || wish.session != nil else {
            throw RouteError(.invalidValue, "Name what to erase: client, before or session.")
        }
        let own = person.caller.user
        guard wish.user == nil || wish.user == own || own == 0 else {
            throw RouteError(.notAllowed, "Only root can erase what is recorded about another user.")
        }
        if let client = wish.client, ClientIdentifier(rawValue: client) == nil {
            throw RouteError(.invalidValue, "client is a bundle identifier.")
        }
        if let session = wish.session, UUID(uuidString: session) == nil {
            throw RouteError(.invalidValue, "session is the identifier of a session, as the records name it.")
        }
        return RightsScope(
            client: wish.client.flatMap(ClientIdentifier.init(rawValue:)), user: wish.user ?? own,
            session: wish.session?.lowercased(), before: wish.before)
    }

    /// What stays, in the order of the reasons, each with the command by which the caller can end the reason.
    private static func shown(
        _ result: ErasureResult, _ scope: RightsScope, to user: UInt32
    ) -> [RecordErasureReply.Kept] {
        KeepingReason.allCases.compactMap { reason in
            result.kept[reason].map {
                RecordErasureReply.Kept(
                    records: $0, reason: reason, command: command(ending: reason, of: result, scope, by: user))
            }
        }
    }

    private static func command(
        ending reason: KeepingReason, of result: ErasureResult, _ scope: RightsScope, by user: UInt32
    ) -> String? {
        switch reason {
        case .muteInForce:
            let mutes = result.mutes.filter { $0.user == user || $0.scope == .everyone && user == 0 }
            return mutes.isEmpty ? nil : mutes.map(\.scope.kind.unmuteCommand).sorted().joined(separator: " && ")
        // The other commands are about the caller.
        case _ where scope.user != user: return nil
        // A session ends with its decision.
        case .decisionInForce, .sessionRunning:
            return "voicegate reset " + (scope.client.map { "--client \($0)" } ?? "--all")
        case .monitorRegistered: return "voicegate monitor remove MONITOR"
        case .endsEarlierDecision, .logItself: return nil
        }
    }
}

extension ItemSelection {
    fileprivate init(_ scope: RightsScope) {
        self.init(client: scope.client, user: scope.user, session: scope.session, before: scope.before)
    }
}
