import Foundation
import Synchronization

/// Lets one command at a time start the service.
final class StartLock: Sendable {
    private let descriptor: Mutex<CInt>

    /// Waits until no other command holds it.
    init(directory: String) throws {
        let path = directory + "/start.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.cannotLock(path, errno) }
        while flock(descriptor, LOCK_EX) != 0 {
            let number = errno
            guard number == EINTR else {
                close(descriptor)
                throw Self.cannotLock(path, number)
            }
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    func release() {
        descriptor.withLock {
            if $0 >= 0 { close($0) }
            $0 = -1
        }
    }

    private static func cannotLock(_ path: String, _ number: Int32) -> CommandError {
        CommandError(
            .cannotStart, .unavailable,
            "The VoiceGate service cannot be started, because \(path) cannot be locked: "
                + "\(String(cString: strerror(number)))."
        )
    }
}
