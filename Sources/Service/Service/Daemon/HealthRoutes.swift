import Authorization
import Glibc
import Hummingbird
import SocketAPI

/// `GET /v1/health`
struct HealthRoutes {
    let gate: Gate
    let mode: HealthReply.Mode

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("health") { _, _ in
            try Response(
                json: HealthReply(
                    version: ServiceVersion.current, mode: mode, processIdentifier: getpid(),
                    muted: await gate.isMuted))
        }
    }
}
