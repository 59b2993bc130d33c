import Foundation
import Glibc
import ServiceLifecycle
import SocketAPI

/// The service manager that started this process and wants to hear from it, by sd_notify(3).
struct ServiceManager: Sendable {
    /// That of this process. Taken once; child processes do not inherit it.
    static let ofProcess = take()

    /// A path, or an abstract name after `@`. `nil`: messages are dropped.
    let address: String?
    /// How long the manager waits for a sign of life before it restarts the service. `nil`: it expects none.
    let timeout: Duration?

    init(environment: [String: String] = [:], process: Int32 = 0) {
        address = environment["NOTIFY_SOCKET"].flatMap {
            ($0.hasPrefix("/") || $0.hasPrefix("@")) && $0.utf8.count <= SocketPath.limit ? $0 : nil
        }
        let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        timeout = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap {
            isOurs && $0 > 0 ? .microseconds($0) : nil
        }
    }

    /// Changes the environment, so the process must have one thread.
    private static func take() -> ServiceManager {
        let environment = ProcessInfo.processInfo.environment
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
        return ServiceManager(environment: environment, process: getpid())
    }

    /// A message that cannot be sent is lost.
    ///
    /// - Parameter state: an assignment of sd_notify(3).
    func send(_ state: State) {
        guard let address else { return }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { path in
            path.copyBytes(from: address.utf8)
            if address.hasPrefix("@") { path[0] = 0 }
        }
        // An abstract name ends where the address does (unix(7)).
        let size = socklen_t(MemoryLayout<sa_family_t>.size + address.utf8.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Safe: the address outlives the call, and sockaddr_un begins as sockaddr does.
        _ = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, state.rawValue, state.rawValue.utf8.count, Int32(MSG_NOSIGNAL), $0, size)
            }
        }
    }

    enum State: String {
        case ready = "READY=1"
        case alive = "WATCHDOG=1"
        case stopping = "STOPPING=1"
    }
}

/// Reports to the service manager that the service works, twice in its timeout, so that one that hangs is restarted.
struct Watchdog: Service {
    let manager: ServiceManager
    /// Does a part of the service's main work. While it does not return, nothing is reported.
    let probe: @Sendable () async -> Void

    func run() async throws {
        let reports = manager.timeout.map { timeout in
            Task {
                while !Task.isCancelled {
                    await probe()
                    // A probe that was cancelled says nothing about the service.
                    guard !Task.isCancelled else { return }
                    manager.send(.alive)
                    try? await Task.sleep(for: timeout / 2)
                }
            }
        }
        try? await gracefulShutdown()
        reports?.cancel()
        manager.send(.stopping)
    }
}
