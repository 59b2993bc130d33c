import CLinux
import Dispatch
import Foundation
import Synchronization

/// The terminal at standard input, read key by key while somebody dictates.
final class TalkTerminal: Sendable {
    private struct State {
        var original: termios?
        var tellsReleases = false
    }

    /// "Does it know the protocol?" and "who are you?": a terminal that knows it answers both.
    private static let question = "\u{1B}[?u"
    /// Escape codes for all keys, also when they are let go; and back to what was before.
    private static let tellReleases = "\u{1B}[>11u"
    private static let asBefore = "\u{1B}[<u"

    private let state = Mutex(State())
    // Safe: never changed, and only kept so that it lives as long as this does.
    private nonisolated(unsafe) let continued = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())
    private let input: CInt = STDIN_FILENO
    /// Not standard output, which may be a pipe.
    private let screen = Descriptor(rawValue: STDERR_FILENO)

    /// - Throws: `CommandError` where there is no terminal with keys.
    static func open() throws(CommandError) -> TalkTerminal {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw CommandError(
                .cannotAsk, .usage,
                "--push-to-talk needs a terminal with a keyboard. From elsewhere: voicegate control begin and end.")
        }
        return TalkTerminal()
    }

    private init() {
        continued.setEventHandler { @Sendable [weak self] in self?.takeKeys() }
        continued.activate()
    }

    deinit { restore() }

    /// Takes the keys from now until `restore()`.
    func keys() -> AsyncStream<TalkKey> {
        var original = termios()
        guard tcgetattr(input, &original) == 0 else { return AsyncStream { $0.finish() } }
        // Signals that end the program put the terminal back first.
        _ = vg_terminal_guard_begin(input, &original, -1)
        let before = original
        state.withLock { $0.original = before }
        takeKeys()
        try? screen.write(Self.question)
        let (keys, found) = AsyncStream.makeStream(of: TalkKey.self)
        Thread.detachNewThread { [weak self, input] in
            var reader = TalkKeyReader()
            var byte: UInt8 = 0
            while true {
                let count = read(input, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1, self?.hasKeys == true else { break }
                guard let key = reader.key(byte) else { continue }
                if key == .canTellReleases { self?.askForReleases() } else { found.yield(key) }
            }
            found.finish()
        }
        return keys
    }

    /// Gives the terminal back as it was.
    func restore() {
        let (original, tellsReleases) = state.withLock { state in
            defer { state = State() }
            return (state.original, state.tellsReleases)
        }
        guard var original else { return }
        if tellsReleases { try? screen.write(Self.asBefore) }
        tcsetattr(input, TCSAFLUSH, &original)
        vg_terminal_guard_end()
    }

    private var hasKeys: Bool { state.withLock { $0.original != nil } }

    /// Also after Ctrl-Z and fg, when the shell has set the terminal its own way.
    private func takeKeys() {
        guard var mode = state.withLock({ $0.original }) else { return }
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(input, TCSANOW, &mode)
    }

    private func askForReleases() {
        let isNew = state.withLock { state in
            defer { state.tellsReleases = true }
            return !state.tellsReleases && state.original != nil
        }
        if isNew { try? screen.write(Self.tellReleases) }
    }
}
