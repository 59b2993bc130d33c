import Authorization
import Dispatch
import Foundation
import Glibc

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
        environment: [String: String] = ProcessInfo.processInfo.environment, settleTime: Duration = .milliseconds(300)
    ) {
        self.input = input
        self.output = output
        self.environment = environment
        self.settleTime = settleTime
    }

    /// Waits for the person. Cancelling the task withdraws the prompt.
    public func ask(_ prompt: Prompt) async throws -> Answer {
        try await ask(DisplayedNotice(prompt.notice, answers: prompt.answers))
    }

    /// Waits for the person. Cancelling the task withdraws the prompt.
    public func ask(_ notice: DisplayedNotice) async throws -> Answer {
        let wake = try WakePipe()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Self.queue.async {
                    continuation.resume(
                        with: Result { () throws(PromptingError) in
                            try self.askBlocking(notice, wake)
                        }.mapError { $0 })
                }
            }
        } onCancel: {
            wake.wake()
        }
    }

    private func askBlocking(_ notice: DisplayedNotice, _ wake: WakePipe) throws(PromptingError) -> Answer {
        // It may have been withdrawn while another prompt was shown.
        if wake.reason() != nil { throw Self.withdrawn }
        let mode = try KeyMode(terminal: input, wake: wake.writer.rawValue)
        let text = PromptText(width: columns, environment: environment)
        show(text.lines(of: notice))
        do {
            let answer = try key(of: notice.answers, wake)
            show([notice.language.wording.outcome(of: answer)])
            extendLifetime(mode)
            return answer
        } catch {
            show([notice.language.wording.noAnswer])
            extendLifetime(mode)
            throw error
        }
    }

    private func key(of answers: [Answer], _ wake: WakePipe) throws(PromptingError) -> Answer {
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
            if clock.now >= settled, typed.count == 1, let key = typed.first,
                let answer = PromptText.answer(to: key, of: answers)
            {
                return answer
            }
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
