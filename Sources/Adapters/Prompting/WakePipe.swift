import CLinux
import Glibc
import LinuxSystem

/// Ends a wait in `poll` from another thread or from a signal handler.
final class WakePipe: Sendable {
    let reader: OwnedDescriptor
    let writer: OwnedDescriptor

    init() throws(PromptingError) {
        var pipe: [Int32] = [-1, -1]
        guard vg_pipe(&pipe) == 0 else {
            throw PromptingError(code: .noAnswer, message: "No prompt can be shown: too many open files. Close some.")
        }
        reader = OwnedDescriptor(owning: pipe[0])
        writer = OwnedDescriptor(owning: pipe[1])
    }

    /// For good: every later wait ends at once.
    func wake() {
        var byte = UInt8(ascii: "c")
        _ = write(writer.rawValue, &byte, 1)
    }

    /// - Returns: `i` for a signal, `c` for `wake()`; `nil` while nobody woke it.
    func reason() -> Character? {
        var request = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&request, 1, 0) == 1, read(reader.rawValue, &byte, 1) == 1 else { return nil }
        return Character(Unicode.Scalar(byte))
    }
}
