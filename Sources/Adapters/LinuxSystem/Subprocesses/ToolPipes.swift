import CLinux
import Glibc

/// The pipes between this program and a tool, written and read on one thread until the tool has ended.
///
/// Owns this program's ends; `close()` closes those that are still open.
struct ToolPipes {
    /// The most bytes of a stream that are kept; the rest is discarded.
    static let mostBytes = 64 * 1024

    /// How long output is read after the tool's end, while another process keeps the pipe open.
    private static let afterwards = Duration.milliseconds(100)

    private struct Kept {
        var descriptor: Int32
        var bytes: [UInt8] = []
        var isCut = false
    }

    private var input: Int32
    private var rest: ArraySlice<UInt8>
    private var output: Kept
    private var complaints: Kept

    /// - Parameters:
    ///   - input: this program's end of the tool's standard input; -1: none. Likewise the others.
    init(input: Int32, bytes: [UInt8], output: Int32, complaints: Int32) {
        self.input = input
        rest = bytes[...]
        self.output = Kept(descriptor: output)
        self.complaints = Kept(descriptor: complaints)
        for descriptor in [input, output, complaints] where descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
    }

    var text: String { String(decoding: output.bytes, as: UTF8.self) }
    var complaint: String { String(decoding: complaints.bytes.prefix(1_024), as: UTF8.self) }
    var isCut: Bool { output.isCut }

    /// Returns when the tool and its output have ended, or at the deadline.
    ///
    /// - Parameter process: a pidfd.
    /// - Returns: whether the tool has ended.
    mutating func serve(process: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
        var hasEnded = false
        var deadline = deadline
        while true {
            if hasEnded, output.descriptor < 0 { return true }
            var waits = [
                pollfd(fd: hasEnded ? -1 : process, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: complaints.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            var wait: Int32 = -1
            if let deadline {
                let left = ContinuousClock.now.duration(to: deadline)
                guard left > .zero else { return hasEnded }
                wait = Int32(clamping: Int(left / .milliseconds(1)) + 1)
            }
            let count = poll(&waits, nfds_t(waits.count), wait)
            if count < 0 {
                guard errno == EINTR else { return hasEnded }
                continue
            }
            if waits[1].revents != 0 { feed() }
            if waits[2].revents != 0 { Self.read(&output) }
            if waits[3].revents != 0 { Self.read(&complaints) }
            if waits[0].revents != 0 {
                hasEnded = true
                let last = ContinuousClock.now + Self.afterwards
                deadline = deadline.map { min($0, last) } ?? last
                // What the tool wrote before its end; other processes may keep the pipe open.
                if complaints.descriptor >= 0 { Self.read(&complaints) }
                Self.close(&complaints.descriptor)
            }
        }
    }

    mutating func close() {
        Self.close(&input)
        Self.close(&output.descriptor)
        Self.close(&complaints.descriptor)
    }

    private mutating func feed() {
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            // The tool may close its input without reading it.
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        Self.close(&input)
    }

    private static func read(_ kept: inout Kept) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(kept.descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return close(&kept.descriptor) }
            let free = mostBytes - kept.bytes.count
            kept.isCut = kept.isCut || count > free
            kept.bytes += buffer.prefix(min(count, free))
        }
    }

    private static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
