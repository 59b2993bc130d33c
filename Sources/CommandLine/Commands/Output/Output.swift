import Authorization
import Foundation
import SocketAPI
import Synchronization

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
