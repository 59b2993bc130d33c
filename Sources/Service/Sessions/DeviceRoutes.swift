import Capture
import Hummingbird
import SocketAPI

/// `GET /v1/devices` and `GET /v1/indicator`: what could listen, and what listens.
struct DeviceRoutes {
    let clients: ClientResolver
    let source: any MicrophoneSource
    let registry: SessionRegistry

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("devices") { _, context in
            _ = try await clients.requester(of: context)
            return try Response(json: DevicesReply(devices: await source.devices()))
        }
        group.get("indicator") { _, context in
            let (_, requester) = try await clients.requester(of: context)
            return try Response(
                json: IndicatorReply(sessions: await registry.sessions(ofUser: requester.caller.user)))
        }
    }
}
