import Hummingbird
import SocketAPI

/// `GET /v1/indicator` and `GET /v1/indicator/changes`: what listens, for every process of the user.
struct IndicatorRoutes {
    let clients: ClientResolver
    let board: IndicatorBoard

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("indicator") { _, context in
            let (_, requester) = try await clients.requester(of: context)
            return try Response(json: board.reply(ofUser: requester.caller.user))
        }
        group.get("indicator/changes") { _, context in
            let (_, requester) = try await clients.requester(of: context)
            return Response(lines: board.states(ofUser: requester.caller.user))
        }
    }
}
