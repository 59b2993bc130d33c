import Foundation
import SocketAPI

/// Held by a command from when it was told to begin a dictation until that listens. So a second one does not begin
/// another, and a key that is let go early finds what it has to end.
final class DictationLock: Sendable {
    private let descriptor: CInt

    private static var path: String { ServicePaths().stateDirectory + "/dictation.lock" }

    /// - Returns: `nil` when another command holds it.
    static func take() throws -> DictationLock? {
        try PrivateDirectory.make(ServicePaths().stateDirectory)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(
                .cannotStart, .unavailable, "\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            close(descriptor)
            return nil
        }
        return DictationLock(descriptor)
    }

    /// Whether a command holds it; does not take it for a moment, as trying would.
    static var isHeld: Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Without effect when it was released already.
    func release() {
        var lock = flock(l_type: Int16(F_UNLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        _ = fcntl(descriptor, F_SETLK, &lock)
    }
}
