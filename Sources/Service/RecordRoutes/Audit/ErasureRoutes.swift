import Authorization
import Foundation
import Hummingbird
import Server
import SocketAPI

/// `/v1/audit/erasures`: the user's right to erasure.
struct ErasureRoutes {
    let erasure: RecordErasure

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
        return try Response(json: await erasure.rehearse(scope, for: call.user))
    }

    private func erase(_ body: RecordErasureRequest, _ call: Call) async throws -> Response {
        try Response(json: await erasure.erase(try scope(body, of: call.requester), by: call.requester.caller))
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
}
