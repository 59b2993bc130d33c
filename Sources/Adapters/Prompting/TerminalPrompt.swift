import Authorization
import CLinux
import Dispatch
import Foundation
import Glibc
import LinuxSystem

/// Shows a notice in a terminal and reads the answer: one of the shown keys.
///
/// Keys that were typed before the notice, or soon after, are ignored, and so are pasted text and function keys. Ctrl-C,
/// Ctrl-D, SIGINT and a closed terminal mean no answer. `?` shows everything in pages, then the question again; another key
/// shows which ones answer. The terminal's mode is always restored.
public struct TerminalPrompt: Agent {
    private let input: Int32
    private let output: Int32
    private let environment: [String: String]
    private let settleTime: Duration
    /// Called with each input that was ignored.
    var onIgnored: (@Sendable ([UInt8]) -> Void)?

    /// Waiting for a key blocks this thread; the terminal prompts of the process are shown one after the other.
    private static let queue = DispatchQueue(label: "voicegate.terminal-prompt")

    /// - Parameters:
    ///   - input: a terminal; it must stay open while a prompt is shown.
    ///   - output: where the notice is written.
    ///   - settleTime: how long keys are ignored after the notice is shown.
    public init(
        input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO,
        environment: [String: String] = ProcessInfo.processInfo.environment, settleTime: Duration = .milliseconds(500)
    ) {
        self.input = input
        self.output = output
        self.environment = environment
        self.settleTime = settleTime
    }

    /// Waits for the answer. Cancelling the task withdraws the prompt.
    public func ask(_ prompt: Prompt) async throws -> AgentReply {
        try await ask(
            DisplayedNotice(prompt), offersFidelity: prompt.offersFidelity, onAttention: { prompt.attention.renew() })
    }

    /// Waits for the answer. Cancelling the task withdraws the prompt.
    ///
    /// - Parameters:
    ///   - offersFidelity: whether the user can limit a grant to the client's phrases.
    ///   - onAttention: called for each key that is not an answer: the user is interacting. It must not block.
    public func ask(
        _ notice: DisplayedNotice, offersFidelity: Bool = false, onAttention: (@Sendable () -> Void)? = nil
    ) async throws -> AgentReply {
        guard let wake = WakePipe() else {
            throw PromptingError(code: .noAnswer, message: "No prompt can be shown: too many open files. Close some.")
        }
        return try await withTaskCancellationHandler {
            try await Self.queue.run { try self.askBlocking(notice, offersFidelity, onAttention, wake) }
        } onCancel: {
            wake.wake()
        }
    }

    private func askBlocking(
        _ notice: DisplayedNotice, _ offersFidelity: Bool, _ onAttention: (@Sendable () -> Void)?, _ wake: WakePipe
    ) throws(PromptingError) -> AgentReply {
        // The prompt may have been withdrawn while a different one was shown.
        if wake.reason() != nil { throw Self.withdrawn }
        let mode = try KeyMode(terminal: input, wake: wake.writer.rawValue)
        let text = PromptText(
            width: TerminalSize.columns(of: output), height: TerminalSize.rows(of: output), environment: environment)
        let wording = notice.language.wording
        do {
            let reply = try key(of: notice, text, offersFidelity, onAttention, wake)
            show([wording.outcome(reply.answer)])
            extendLifetime(mode)
            return reply
        } catch {
            show([wording(.noAnswer)])
            extendLifetime(mode)
            throw error
        }
    }

    private static func line(_ fidelity: Fidelity, _ wording: Wording) -> String {
        "  [f] \(wording.fidelity(fidelity))"
    }

    private func key(
        of notice: DisplayedNotice, _ text: PromptText, _ offersFidelity: Bool, _ onAttention: (@Sendable () -> Void)?,
        _ wake: WakePipe
    ) throws(PromptingError) -> AgentReply {
        var fidelity = Fidelity.full
        var isHinted = false
        let clock = ContinuousClock()
        func ask() -> ContinuousClock.Instant {
            // Below the notice: the fidelity and the hint.
            show(text.lines(of: notice, reserved: 3), breakingLines: false)
            if offersFidelity { show([Self.line(fidelity, notice.language.wording)]) }
            return clock.now + settleTime
        }
        var settled = ask()
        while true {
            let typed = try read(wake)
            // More than one byte at once is a paste or a function key.
            if clock.now >= settled, typed.count == 1, let key = typed.first {
                if let answer = PromptText.answer(to: key, of: notice.answers) {
                    return AgentReply(
                        answer: answer, fidelity: answer.isYes ? fidelity : .full, indication: .terminal)
                }
                if offersFidelity, key == UInt8(ascii: "f") {
                    fidelity = fidelity == .full ? .reduced : .full
                    show([Self.line(fidelity, notice.language.wording)])
                    onAttention?()
                    continue
                }
                if key == PromptText.everything.asciiValue {
                    try showEverything(notice, text, onAttention, wake)
                    (settled, isHinted) = (ask(), false)
                    continue
                }
            }
            if clock.now >= settled {
                show(isHinted ? [] : [Self.hint(notice, offersFidelity)])
                if isHinted { _ = DescriptorBytes.write([0x07], to: output) }
                isHinted = true
            }
            onAttention?()
            onIgnored?(typed)
        }
    }

    /// Shows all of the notice in pages. Each key goes on, `q` returns.
    private func showEverything(
        _ notice: DisplayedNotice, _ text: PromptText, _ onAttention: (@Sendable () -> Void)?, _ wake: WakePipe
    ) throws(PromptingError) {
        let lines = text.readingLines(of: notice)
        let length = max(text.height - 3, 4)
        let count = (lines.count + length - 1) / length
        for number in 0..<count {
            let page = lines[(number * length)..<min((number + 1) * length, lines.count)]
            show([""] + page, breakingLines: false)
            show(PromptText.wrapped(notice.language.wording.page(number: number + 1, count: count), width: text.width))
            onAttention?()
            if try read(wake) == [UInt8(ascii: "q")] { return }
        }
    }

    /// Waits for keys.
    ///
    /// - Returns: what was typed at once.
    private func read(_ wake: WakePipe) throws(PromptingError) -> [UInt8] {
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
            let count = Glibc.read(input, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.left }
            let typed = Array(bytes[..<count])
            if typed.contains(0x03) { throw Self.interrupted }
            if typed.contains(0x04) { throw Self.left }
            // A longer paste comes in several pieces, the last of which may be one byte.
            if count == bytes.count { skipPaste() }
            return typed
        }
    }

    private static func hint(_ notice: DisplayedNotice, _ offersFidelity: Bool) -> String {
        let keys = notice.answers.compactMap { answer in PromptText.choices.first { $0.answer == answer } }.map {
            String($0.key)
        }
        return notice.language.wording.hint(keys: keys + (offersFidelity ? ["f"] : []))
    }

    /// Reads what a paste still has; it ends when nothing comes for 50 ms.
    private func skipPaste() {
        var bytes = [UInt8](repeating: 0, count: 64)
        var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 50) > 0, Glibc.read(input, &bytes, bytes.count) > 0 {}
    }

    /// - Parameter breakingLines: whether the terminal breaks lines that it draws wider than they are counted. It must not
    ///   where the rest of outside text would then begin a line.
    private func show(_ lines: [String], breakingLines: Bool = true) {
        let text = lines.map { $0 + "\n" }.joined()
        // DECAWM (ECMA-48 terminals; DEC STD 070).
        let isPlain = environment["TERM"] == nil || environment["TERM"] == "dumb"
        let shown = breakingLines || isPlain ? text : "\u{1B}[?7l\(text.dropLast())\u{1B}[?7h\n"
        // A closed terminal is noticed by reading.
        _ = DescriptorBytes.write(Array(shown.utf8), to: output)
    }

    private static let left = PromptingError(
        code: .noAnswer, message: "The prompt was closed without an answer. Ask again.")
    private static let interrupted = PromptingError(
        code: .interrupted, message: "The prompt was interrupted. Ask again.")
    private static let withdrawn = PromptingError(
        code: .noAnswer, message: "The prompt was withdrawn before an answer.")
}

/// Sets a terminal to single keys without echo, and restores its mode at the end.
struct KeyMode: ~Copyable {
    private let terminal: Int32
    private var original: termios

    /// Discards earlier input.
    ///
    /// - Parameter wake: gets a byte at SIGINT, which does not end the process.
    init(terminal: Int32, wake: Int32) throws(PromptingError) {
        var present = termios()
        guard tcgetattr(terminal, &present) == 0 else {
            throw PromptingError(code: .notTerminal, message: "There is no terminal to ask at. Run this in one.")
        }
        // A background job would be stopped when it changes the terminal.
        let owner = tcgetpgrp(terminal)
        guard owner < 0 || owner == getpgrp() else {
            throw PromptingError(
                code: .notTerminal, message: "Another job uses the terminal. Bring this job to the foreground.")
        }
        guard vg_terminal_guard_begin(terminal, &present, wake) == 0 else {
            throw PromptingError(code: .notTerminal, message: "A prompt is shown already. Answer that one first.")
        }
        var keys = present
        // Without ISIG, Ctrl-C is a key like others and cannot interrupt the prompt halfway.
        keys.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        withUnsafeMutableBytes(of: &keys.c_cc) {
            $0[Int(VMIN)] = 1
            $0[Int(VTIME)] = 0
        }
        guard tcsetattr(terminal, TCSAFLUSH, &keys) == 0 else {
            vg_terminal_guard_end()
            throw PromptingError(
                code: .notTerminal, message: "The terminal cannot read single keys. Use a different one.")
        }
        self.terminal = terminal
        self.original = present
    }

    deinit {
        var present = original
        // Keys after the answer must not reach the shell.
        tcsetattr(terminal, TCSAFLUSH, &present)
        vg_terminal_guard_end()
    }
}

extension WakePipe {
    /// - Returns: `i` for a signal, `c` for `wake()`; `nil` for neither.
    func reason() -> Character? {
        var byte: UInt8 = 0
        guard read(reader.rawValue, &byte, 1) == 1 else { return nil }
        return Character(Unicode.Scalar(byte))
    }
}
