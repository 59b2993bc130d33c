import Authorization
import Foundation
import SocketAPI
import Synchronization
import enum Prompting.TerminalColumns

/// Where a command writes: results to standard output, everything else to standard error.
///
/// Each text is written at once and unbuffered, so that lines of the two never mix within a line.
final class Output: Sendable {
    let isJSON: Bool
    /// Whether a line may be drawn again in place.
    let isLive: Bool
    private let isQuiet: Bool
    private let results: Descriptor
    private let messages: Descriptor
    private let liveLine = Mutex(LiveLine())

    init(
        isQuiet: Bool, isJSON: Bool, results: CInt = STDOUT_FILENO, messages: CInt = STDERR_FILENO,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.isQuiet = isQuiet
        self.isJSON = isJSON
        self.results = Descriptor(rawValue: results)
        self.messages = Descriptor(rawValue: messages)
        let terminal = environment["TERM"] ?? "dumb"
        isLive = !isQuiet && !isJSON && isatty(messages) == 1 && terminal != "dumb" && !terminal.isEmpty
    }

    /// Writes a result and ends its line.
    ///
    /// - Throws: `OutputClosed`
    func line(_ text: String) throws {
        try liveLine.withLock { live in
            if isLive, let clearing = live.clearing() { try? messages.write(clearing) }
            try results.write(text + "\n")
            if isLive, let drawing = live.redrawing() { try? messages.write(drawing) }
        }
    }

    /// Writes a value as a line of JSON.
    ///
    /// - Throws: `OutputClosed`
    func json(_ value: some Encodable) throws {
        try line(String(decoding: try JSONCoding.encoder().encode(value), as: UTF8.self))
    }

    /// Tells the person something that they can do without.
    func note(_ text: String) {
        if !isQuiet { message(text) }
    }

    /// Tells the person something that they must know.
    ///
    /// A warning quotes what programs and files are called; it must not draw on the terminal.
    func warn(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        message("voicegate: " + lines.map { DisplayText.cleaned(String($0), limit: 4_000) }.joined(separator: "\n"))
    }

    /// Writes a question, after which the person types.
    func ask(_ text: String) {
        liveLine.withLock { live in
            try? messages.write((isLive ? live.clearing() ?? "" : "") + text)
        }
    }

    /// Tells what went wrong: to the person, and with `--json` to the program that reads.
    func problem(_ reply: ErrorReply) {
        if isJSON { try? json(reply) }
        warn(reply.error.message)
        if let settings = reply.error.settings, !reply.error.message.contains(settings) {
            message(Language.ofPerson.commandWording.toAllow(settings))
        }
    }

    /// Shows text on the last line in the place of what was there; nothing off a terminal.
    func live(_ text: String) {
        guard isLive else { return }
        let width = messages.terminalWidth
        liveLine.withLock { live in
            if let drawing = live.drawing(text, width: width) { try? messages.write(drawing) }
        }
    }

    func clearLive() { live("") }

    /// Of whoever reads the results; `nil` where that is no pipe.
    var readerWatch: ReaderWatch? { ReaderWatch(results.rawValue) }

    /// Columns of the terminal that results are shown on.
    var width: Int { results.terminalWidth }

    private func message(_ text: String) {
        liveLine.withLock { live in
            // Nobody can be told that nobody can be told.
            try? messages.write((isLive ? live.clearing() ?? "" : "") + text + "\n")
            if isLive, let drawing = live.redrawing() { try? messages.write(drawing) }
        }
    }
}

/// The line at the bottom of a terminal that is drawn again and again, as the text to write for it.
struct LiveLine {
    private static let clearToEnd = "\u{1B}[K"

    private var shown = ""

    /// - Returns: what to write to show the text, its end where it is wider than the terminal; `nil` when that is what
    ///   stands there already.
    mutating func drawing(_ text: String, width: Int) -> String? {
        let fitted = Self.fitted(text, width: width)
        guard fitted != shown else { return nil }
        shown = fitted
        // The text first and the clearing last: the line is never empty in between, so it does not flicker.
        return "\r" + fitted + Self.clearToEnd
    }

    /// What to write before something else is written; `nil` when nothing stands there.
    func clearing() -> String? { shown.isEmpty ? nil : "\r" + Self.clearToEnd }

    /// What to write to show again what was cleared.
    func redrawing() -> String? { shown.isEmpty ? nil : "\r" + shown + Self.clearToEnd }

    /// One column is left free, because a full line makes some terminals wrap.
    static func fitted(_ text: String, width: Int) -> String {
        let line = DisplayText.cleaned(String(text.suffix(4_096)), limit: 4_096)
        let room = max(width - 1, 1)
        guard TerminalColumns.count(line) > room else { return line }
        return room == 1 ? "…" : "…" + TerminalColumns.suffix(line, columns: room - 1)
    }
}

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

/// Tells when nobody reads a pipe any more, without writing to it.
struct ReaderWatch: Sendable {
    private let descriptor: CInt

    /// `nil` for what is no pipe.
    init?(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
        self.descriptor = descriptor
    }

    /// - Returns: `false` when the task was cancelled.
    func isGone() async -> Bool {
        let (gone, news) = AsyncStream.makeStream(of: Void.self)
        // Ends with the reader or with this program.
        Thread.detachNewThread { [descriptor] in
            var state = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&state, 1, -1) < 0, errno == EINTR {}
            news.yield()
        }
        for await _ in gone { return true }
        return false
    }
}

/// Nobody reads standard output any more. No failure: the reader has what it wanted.
struct OutputClosed: Error {}
