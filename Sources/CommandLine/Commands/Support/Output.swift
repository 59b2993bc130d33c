import ArgumentParser
import Authorization
import Base
import CommandText
import Foundation
import LinuxSystem
import SocketAPI
import Synchronization

import enum Prompting.TerminalColumns

/// Standard output is closed. Not a failure: the reader has what it wanted.
struct OutputClosed: Error {}

/// Where a command writes: results to standard output, everything else to standard error.
///
/// Each text is one unbuffered write, so that the two never mix within a line.
final class Output: Sendable {
    let isJSON: Bool
    /// Whether a line can be redrawn in place.
    let isLive: Bool
    /// Whether the messages' terminal knows escape sequences.
    private let canClear: Bool
    private let isQuiet: Bool
    private let results: Descriptor
    private let ownMessages: Descriptor
    private let pager: Pager?
    private let liveLine = Mutex(LiveLine())

    init(
        isQuiet: Bool, isJSON: Bool, results: CInt = STDOUT_FILENO, messages: CInt = STDERR_FILENO,
        pager: Pager? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        // A closed reader must be an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        self.isQuiet = isQuiet
        self.isJSON = isJSON
        self.results = Descriptor(rawValue: results)
        ownMessages = Descriptor(rawValue: messages)
        self.pager = pager
        let terminal = environment["TERM"] ?? "dumb"
        canClear = isatty(messages) == 1 && terminal != "dumb" && !terminal.isEmpty
        isLive = pager == nil && !isQuiet && !isJSON && canClear
    }

    /// Checks before long work that its results can be written.
    ///
    /// - Throws: `CommandError`
    func requireResults() throws {
        let flags = fcntl(results.rawValue, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
            throw CommandError.cannotWrite("The output", systemMessage(EBADF))
        }
    }

    /// While a pager runs, it owns the terminal.
    private var messages: Descriptor {
        guard let pager, let input = pager.input, isatty(ownMessages.rawValue) == 1 else { return ownMessages }
        return input
    }

    /// - Throws: `OutputClosed`
    func line(_ text: String) throws {
        let results = pager?.started() ?? self.results
        try liveLine.withLock { live in
            if isLive, let clearing = live.clearing() { try? messages.write(clearing) }
            try results.write(text + "\n")
            if isLive, let drawing = live.redrawing() { try? messages.write(drawing) }
        }
    }

    /// Writes lines of text for a person. They may quote names from outside, as messages may.
    ///
    /// - Throws: `OutputClosed`
    func lines(_ texts: [String]) throws {
        let isTerminal = isForPerson
        for text in texts {
            let text = Self.safe(text)
            try line(isTerminal ? TerminalText.fitted(text, width: width) : text)
        }
    }

    /// - Throws: `OutputClosed`
    func json(_ value: some Encodable) throws {
        try line(JSONCoding.text(of: value))
    }

    /// Writes a value as JSON with `--json`, and as lines of text otherwise.
    func result(_ value: some Encodable, _ text: @autoclosure () -> [String]) throws {
        if isJSON { try json(value) } else { try lines(text()) }
    }

    /// Writes a value as JSON with `--json`, and as rows otherwise, with a note for the user if there are none.
    func result(_ value: some Encodable, rows: [[String]], none text: String) throws {
        try result(value, TextTable.lines(rows))
        if rows.isEmpty, !isJSON { note(text) }
    }

    /// Writes a value that decides the exit code, also if the reader of the results has gone.
    ///
    /// - Throws: `CommandError` with `reported`, unless the status is success.
    func result(_ value: some Encodable, _ text: @autoclosure () -> [String], ending status: ExitStatus) throws {
        try decided(status != .success) { try result(value, text()) }
        try status.check()
    }

    /// Writes results; if the command fails whatever becomes of them, a reader that has gone does not hide that.
    func decided(_ isFailure: Bool, _ write: () throws -> Void) throws {
        do { try write() } catch is OutputClosed where isFailure {}
    }

    /// Writes a value as JSON with `--json`, and a note for the user otherwise.
    func result(_ value: some Encodable, note text: @autoclosure () -> String) throws {
        if isJSON { try json(value) } else { note(text()) }
    }

    /// Writes a message that `--quiet` omits.
    func note(_ text: String) {
        if !isQuiet { message(text) }
    }

    /// Writes a message that the user must see. It may quote other programs and files, so it is cleaned for the terminal.
    func warn(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        message("voicegate: " + lines.map { DisplayText.cleaned(String($0), limit: 4_000) }.joined(separator: "\n"))
    }

    /// - Parameter isUsual: whether Enter alone agrees.
    /// - Returns: whether the user typed `y` or `yes`; the end of the input is a refusal.
    func confirms(_ question: String, isUsual: Bool = false) async throws -> Bool {
        guard let answer = try await answer(to: question + (isUsual ? " [Y/n]" : " [y/N]"))?.lowercased() else {
            return false
        }
        return ["y", "yes"].contains(answer) || isUsual && answer.isEmpty
    }

    /// - Returns: the line that the user typed, without spaces around it; `nil` at the end of the input.
    func answer(to question: String) async throws -> String? {
        liveLine.withLock { live in
            try? messages.write((isLive ? live.clearing() ?? "" : "") + fitted(DisplayText.escaped(question)) + " ")
        }
        return try await Blocking.run { readLine() }?.trimmingCharacters(in: .whitespaces)
    }

    /// Runs a command, reports its errors, and turns them into exit codes.
    func reportingErrors(_ body: () async throws -> Void) async throws {
        defer { pager?.finish() }
        do {
            try await body()
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ExitCode(report(error).rawValue)
        }
    }

    /// Reports an error to the user, and with `--json` to the reading program.
    func report(_ error: any Error) -> ExitStatus {
        clearLive()
        let error = CommandError(translating: error) ?? error
        if error is OutputClosed { return .success }
        if let error = error as? CommandError, error.isReported { return error.status }
        let reply = ErrorReply(reporting: error)
        if isJSON { try? json(reply) }
        warn(reply.error.message)
        if let settings = reply.error.settings, !reply.error.message.contains(settings) {
            message(Language.ofPerson.commandWording.toAllow(command: settings))
        }
        return ExitStatus(error)
    }

    /// Shows text in the terminal's last line, in place of the text before; nothing without a terminal.
    func live(_ text: String) {
        guard isLive else { return }
        let width = messages.terminalWidth
        liveLine.withLock { live in
            if let drawing = live.drawing(text, width: width) { try? messages.write(drawing) }
        }
    }

    func clearLive() { live("") }

    /// Removes what the terminal shows of Ctrl-C, so that the shell's prompt begins a line. Not while a question is there.
    func removeEcho() {
        guard canClear, pager?.input == nil else { return }
        liveLine.withLock { live in
            try? ownMessages.write(live.redrawing() ?? LiveLine.clear)
        }
    }

    /// The pipe that the results go to; `nil` if they go elsewhere.
    var resultPipe: Descriptor? {
        var status = stat()
        let isPipe = fstat(results.rawValue, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
        return isPipe ? results : nil
    }

    /// Whether the results go to a terminal, also through a pager.
    var isForPerson: Bool { isatty(results.rawValue) == 1 }

    /// Columns of the terminal that shows the results.
    var width: Int { results.terminalWidth }

    /// Names from outside, such as that of a process, must not control the terminal.
    private static func safe(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText.escaped(String($0)) }
            .joined(separator: "\n")
    }

    private func fitted(_ text: String) -> String {
        isatty(messages.rawValue) == 1 ? TerminalText.fitted(text, width: messages.terminalWidth) : text
    }

    /// Writes lines of text. They may quote names from outside.
    private func message(_ text: String) {
        liveLine.withLock { live in
            // An error of standard error cannot be reported.
            let text = (isLive ? live.clearing() ?? "" : "") + fitted(Self.safe(text)) + "\n"
            do { try messages.write(text) } catch {
                // The user has left the pager.
                if pager?.input != nil { try? ownMessages.write(text) }
            }
            if isLive, let drawing = live.redrawing() { try? messages.write(drawing) }
        }
    }
}

extension JSONCoding {
    /// A value as one line of JSON.
    static func text(of value: some Encodable) throws -> String {
        String(decoding: try encoder().encode(value), as: UTF8.self)
    }
}

/// The terminal's last line that is redrawn in place: what to write for each change.
struct LiveLine {
    private static let clearToEnd = "\u{1B}[K"
    static let clear = "\r" + clearToEnd

    private var shown = ""

    /// - Returns: what to write to show the text, or its end if it is too wide; `nil` if it is shown already.
    mutating func drawing(_ text: String, width: Int) -> String? {
        let fitted = Self.fitted(text, width: width)
        guard fitted != shown else { return nil }
        shown = fitted
        // Text first, clearing last: the line is never empty in between and does not flicker.
        return "\r" + fitted + Self.clearToEnd
    }

    /// What to write before other text; `nil` if the line is empty.
    func clearing() -> String? { shown.isEmpty ? nil : Self.clear }

    /// What to write after other text.
    func redrawing() -> String? { shown.isEmpty ? nil : "\r" + shown + Self.clearToEnd }

    /// One column stays free, because a full line makes some terminals wrap.
    static func fitted(_ text: String, width: Int) -> String {
        let line = DisplayText.cleaned(String(text.suffix(4_096)), limit: 4_096)
        let columns = max(width - 1, 1)
        guard TerminalColumns.count(line) > columns else { return line }
        return columns == 1 ? "…" : "…" + TerminalColumns.suffix(line, columns: columns - 1)
    }
}

/// An open file descriptor that is written to, not owned.
struct Descriptor: Sendable {
    let rawValue: CInt

    /// - Throws: `OutputClosed` if the reader is gone, `CommandError` if it cannot be written for another reason.
    func write(_ text: String) throws {
        guard DescriptorBytes.write(Array(text.utf8), to: rawValue) else {
            if errno == EPIPE { throw OutputClosed() }
            throw CommandError.cannotWrite("The output", systemMessage())
        }
    }

    /// Columns of the terminal; 80 if unknown.
    var terminalWidth: Int { TerminalSize.columns(of: rawValue) }

    /// Waits until the reader of a pipe closes it, without writing.
    ///
    /// - Returns: `false` if the task was cancelled.
    func readerIsGone() async -> Bool {
        let (gone, news) = AsyncStream.makeStream(of: Void.self)
        // The thread ends with the reader or with this program.
        Thread.detachNewThread { [rawValue] in
            var state = pollfd(fd: rawValue, events: 0, revents: 0)
            while poll(&state, 1, -1) < 0, errno == EINTR {}
            news.yield()
        }
        for await _ in gone { return true }
        return false
    }
}
