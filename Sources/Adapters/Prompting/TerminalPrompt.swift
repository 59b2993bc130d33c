import Authorization
import CLinux
import Dispatch
import Foundation
import Glibc
import LinuxSystem

/// Shows a notice at a terminal and reads the answer: one key, of those shown.
///
/// Keys typed before the notice was there, or in its first moments, do not count; nor do pasted text and function keys.
/// Ctrl-C, Ctrl-D, SIGINT and a terminal that goes away mean no answer. The terminal is put back as it was every time.
public struct TerminalPrompt: Sendable {
    private let input: Int32
    private let output: Int32
    private let environment: [String: String]
    private let settleTime: Duration
    /// Told of each reading that did not count, before the next.
    var onIgnored: (@Sendable ([UInt8]) -> Void)?

    /// Waiting for a key blocks a thread; this one, for all terminal prompts of the process, one after the other.
    private static let queue = DispatchQueue(label: "voicegate.terminal-prompt")

    /// - Parameters:
    ///   - input: a terminal; it must stay open while a prompt is shown.
    ///   - output: where the notice is written.
    ///   - settleTime: from the drawing on, keys are ignored for that long.
    public init(
        input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO,
        environment: [String: String] = ProcessInfo.processInfo.environment, settleTime: Duration = .milliseconds(500)
    ) {
        self.input = input
        self.output = output
        self.environment = environment
        self.settleTime = settleTime
    }

    /// Waits for the person. Cancelling the task withdraws the prompt.
    public func ask(_ prompt: Prompt) async throws -> PromptReply {
        try await ask(
            DisplayedNotice(prompt.notice, answers: prompt.answers), offersFidelity: prompt.offersFidelity,
            onAttention: { prompt.attention.renew() })
    }

    /// Waits for the person. Cancelling the task withdraws the prompt.
    ///
    /// - Parameters:
    ///   - offersFidelity: whether the person can choose that a yes is for the client's phrases alone.
    ///   - onAttention: told of each key that is no answer: a person is busy with the prompt. It must not block.
    public func ask(
        _ notice: DisplayedNotice, offersFidelity: Bool = false, onAttention: (@Sendable () -> Void)? = nil
    ) async throws -> PromptReply {
        let wake = try WakePipe()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Self.queue.async {
                    continuation.resume(
                        with: Result { () throws(PromptingError) in
                            try self.askBlocking(notice, offersFidelity, onAttention, wake)
                        }.mapError { $0 })
                }
            }
        } onCancel: {
            wake.wake()
        }
    }

    private func askBlocking(
        _ notice: DisplayedNotice, _ offersFidelity: Bool, _ onAttention: (@Sendable () -> Void)?, _ wake: WakePipe
    ) throws(PromptingError) -> PromptReply {
        // It may have been withdrawn while another prompt was shown.
        if wake.reason() != nil { throw Self.withdrawn }
        let mode = try KeyMode(terminal: input, wake: wake.writer.rawValue)
        let text = PromptText(width: columns, environment: environment)
        let wording = notice.language.wording
        show(text.lines(of: notice) + (offersFidelity ? [Self.line(.full, wording)] : []))
        do {
            let reply = try key(of: notice, offersFidelity, onAttention, wake)
            show([wording.outcome(of: reply.answer)])
            extendLifetime(mode)
            return reply
        } catch {
            show([wording.noAnswer])
            extendLifetime(mode)
            throw error
        }
    }

    private static func line(_ fidelity: Fidelity, _ wording: any Wording) -> String {
        "  [f] \(wording.name(of: fidelity))"
    }

    private func key(
        of notice: DisplayedNotice, _ offersFidelity: Bool, _ onAttention: (@Sendable () -> Void)?, _ wake: WakePipe
    ) throws(PromptingError) -> PromptReply {
        var fidelity = Fidelity.full
        let clock = ContinuousClock()
        let settled = clock.now + settleTime
        while true {
            var requests = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.reader.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, 2, -1) > 0 else {
                if errno == EINTR { continue }
                throw Self.left
            }
            if let reason = wake.reason() { throw reason == "i" ? Self.interrupted : Self.withdrawn }
            guard requests[0].revents != 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(input, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.left }
            let typed = bytes[..<count]
            if typed.contains(0x03) { throw Self.interrupted }
            if typed.contains(0x04) { throw Self.left }
            // More than one byte at once is a paste or a function key.
            if clock.now >= settled, typed.count == 1, let key = typed.first {
                if let answer = PromptText.answer(to: key, of: notice.answers) {
                    return PromptReply(answer, fidelity: answer.isYes ? fidelity : .full)
                }
                if offersFidelity, key == UInt8(ascii: "f") {
                    fidelity = fidelity == .full ? .reduced : .full
                    show([Self.line(fidelity, notice.language.wording)])
                }
            }
            onAttention?()
            onIgnored?(Array(typed))
        }
    }

    private var columns: Int {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private func show(_ lines: [String]) {
        var bytes = Array(lines.map { $0 + "\n" }.joined().utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // A terminal that went away is noticed by reading.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    private static let left = PromptingError(
        code: .noAnswer, message: "The prompt was left without an answer. Ask again.")
    private static let interrupted = PromptingError(
        code: .interrupted, message: "The prompt was interrupted. Ask again.")
    private static let withdrawn = PromptingError(
        code: .noAnswer, message: "The prompt was withdrawn before an answer.")
}

/// Asks at the service's own terminal (`voicegated --agent terminal`).
public struct TerminalAgent: Agent {
    private let terminal: TerminalPrompt

    public init(terminal: TerminalPrompt = TerminalPrompt()) { self.terminal = terminal }

    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        let reply = try await terminal.ask(prompt)
        return AgentReply(answer: reply.answer, fidelity: reply.fidelity, indication: .terminal)
    }
}

/// A terminal that hands over single keys unseen, put back as it was when this goes.
struct KeyMode: ~Copyable {
    private let terminal: Int32
    private var original: termios

    /// Discards what was typed before.
    ///
    /// - Parameter wake: gets a byte instead of SIGINT ending the process.
    init(terminal: Int32, wake: Int32) throws(PromptingError) {
        var present = termios()
        guard tcgetattr(terminal, &present) == 0 else {
            throw PromptingError(code: .notTerminal, message: "There is no terminal to ask at. Run this in one.")
        }
        // A background job that changed the terminal would be stopped, and should not ask anyway.
        let owner = tcgetpgrp(terminal)
        guard owner < 0 || owner == getpgrp() else {
            throw PromptingError(
                code: .notTerminal, message: "Another job has the terminal. Bring this one to the front.")
        }
        guard vg_terminal_guard_begin(terminal, &present, wake) == 0 else {
            throw PromptingError(code: .notTerminal, message: "A prompt is shown already. Answer that one first.")
        }
        var keys = present
        // Without signals, Ctrl-C is a key like others and nothing is left half-done.
        keys.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        withUnsafeMutableBytes(of: &keys.c_cc) {
            $0[Int(VMIN)] = 1
            $0[Int(VTIME)] = 0
        }
        guard tcsetattr(terminal, TCSAFLUSH, &keys) == 0 else {
            vg_terminal_guard_end()
            throw PromptingError(code: .notTerminal, message: "The terminal does not hand over keys. Use another one.")
        }
        self.terminal = terminal
        self.original = present
    }

    deinit {
        var present = original
        // What was typed beyond the answer must not reach the shell.
        tcsetattr(terminal, TCSAFLUSH, &present)
        vg_terminal_guard_end()
    }
}

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
