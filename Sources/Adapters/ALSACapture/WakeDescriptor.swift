import CALSA
import Glibc

/// An eventfd: wakes a thread that waits in `poll`. Once woken it stays so.
final class WakeDescriptor: Sendable {
    let descriptor: Int32

    /// - Returns: `nil` when the process has no descriptor left.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func wake() { _ = eventfd_write(descriptor, 1) }

    /// - Returns: whether it was woken within the time.
    func wait(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
