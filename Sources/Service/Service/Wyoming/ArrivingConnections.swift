import LinuxSystem
import Synchronization

/// Counts the connections of each process from their first moment on, before anybody looks at the process: one that opens a
/// thousand must not fill the places that others arrive at.
final class ArrivingConnections: Sendable {
    private let open = Mutex<[Int32: Int]>([:])

    /// - Parameter socket: a connected Unix socket.
    /// - Returns: what runs when it is closed; `nil` when its process has too many, and it is to be closed.
    func enter(_ socket: Int32) -> (@Sendable () -> Void)? {
        // Of TCP the kernel does not say it; such a one is looked at with all others.
        guard let process = try? PeerCredentials(socket: socket).processIdentifier else { return {} }
        let isWelcome = open.withLock { open in
            guard open[process, default: 0] < ConnectionTasks.mostOfProcess else { return false }
            open[process, default: 0] += 1
            return true
        }
        guard isWelcome else { return nil }
        return { [self] in
            open.withLock { open in
                let left = open[process, default: 1] - 1
                open[process] = left > 0 ? left : nil
            }
        }
    }
}
