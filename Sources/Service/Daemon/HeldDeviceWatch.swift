import Logging
import Server
import ServiceLifecycle

/// Ends the service when a device does not close for a long time: only the end of the process closes it then, and systemd
/// starts the service again. A microphone that stays open after its session weighs more than the other sessions, which end as
/// at every stop.
struct HeldDeviceWatch: Service {
    private enum Event: Sendable {
        case held(Set<String>)
        case expired(String)
    }

    /// The names of the devices that do not close, whenever they change; for this reader alone.
    let states: AsyncStream<Set<String>>
    let logger: Logger
    /// For one device.
    var limit = Duration.seconds(60)

    /// - Throws: `deviceHeld`.
    func run() async throws {
        let (events, queue) = AsyncStream.makeStream(of: Event.self)
        let reading = Task {
            for await devices in states { queue.yield(.held(devices)) }
        }
        var timers: [String: Task<Void, Never>] = [:]
        defer { for task in [reading] + timers.values { task.cancel() } }
        for await event in events.cancelOnGracefulShutdown() {
            switch event {
            case .held(let devices):
                for name in Set(timers.keys).subtracting(devices) {
                    timers.removeValue(forKey: name)?.cancel()
                    logger.notice("a device has closed at last", metadata: ["device": "\(name)"])
                }
                for name in devices where timers[name] == nil {
                    logger.error("a device does not close and is held", metadata: ["device": "\(name)"])
                    timers[name] = Task { [limit] in
                        guard (try? await Task.sleep(for: limit)) != nil else { return }
                        queue.yield(.expired(name))
                    }
                }
            case .expired(let name) where timers[name] != nil:
                throw ServiceError(
                    code: .deviceHeld,
                    message:
                        "The device “\(name)” has not closed for \(limit.components.seconds) seconds. The service ends, "
                        + "which closes it; start it again.")
            case .expired: break
            }
        }
    }
}
