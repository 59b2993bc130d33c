import Hummingbird
import SocketAPI
import Speech

/// `GET /v1/devices`: what could listen.
struct DeviceRoutes {
    let clients: ClientResolver
    let source: any MicrophoneSource

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("devices") { _, context in
            _ = try await clients.requester(of: context)
            return try Response(json: DevicesReply(devices: await source.devices()))
        }
    }
}
