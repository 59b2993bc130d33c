import Foundation

/// An open file that is written to, not owned.
struct Descriptor: Sendable {
    let rawValue: CInt

    /// Writes all of the text.
    ///
    /// - Throws: `OutputClosed` when nobody reads it, `CommandError` when it cannot be written for another reason.
    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[written...])
                let count = Glibc.write(rawValue, rest.baseAddress, rest.count)
                let number = count < 0 ? errno : 0
                switch number {
                case 0:
                    written += count
                case EINTR:
                    continue
                case EAGAIN:
                    // A descriptor that another program made non-blocking.
                    var state = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&state, 1, -1)
                case EPIPE:
                    throw OutputClosed()
                default:
                    throw CommandError(
                        .cannotWrite, .cannotWrite,
                        "The output cannot be written: \(String(cString: strerror(number))).")
                }
            }
        }
    }

    /// Columns of the terminal, 80 where it does not say.
    var terminalWidth: Int {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
