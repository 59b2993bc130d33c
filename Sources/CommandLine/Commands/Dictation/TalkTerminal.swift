import CLinux
import Dispatch
import Foundation
import Synchronization

/// The terminal at standard input, read key by key during a dictation.
final class TalkTerminal: Sendable {
    private struct State {
        var original: termios?
        var reportsReleases = false
    }

    /// Queries whether the terminal supports the protocol.
    private static let question = "\u{1B}[?u"
    /// Requests escape codes for all keys and their releases; and restores the mode before.
    private static let reportReleases = "\u{1B}[>11u"
    private static let restoreKeys = "\u{1B}[<u"

    private let state = Mutex(State())
    // Safe: never changed; kept so that the source lives as long as this object.
    private nonisolated(unsafe) let continued = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())
    private let input: CInt = STDIN_FILENO
    /// Standard output may be a pipe.
    private let screen = Descriptor(rawValue: STDERR_FILENO)

    static func open() throws(CommandError) -> TalkTerminal {
        try require(
            isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1, .cannotAsk, status: .usage,
            "--push-to-talk requires a terminal. From elsewhere, use voicegate control begin and end.")
        return TalkTerminal()
    }

    private init() {
        continued.setEventHandler { @Sendable [weak self] in self?.takeKeys() }
        continued.activate()
    }

    deinit { restore() }

    /// Reads the keys until `restore()`.
    func keys() -> AsyncStream<TalkKey> {
        var original = termios()
        guard tcgetattr(input, &original) == 0 else { return AsyncStream { $0.finish() } }
        // Signals that end the program restore the terminal first.
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
                if key == .reportsReleases { self?.askForReleases() } else { found.yield(key) }
            }
            found.finish()
        }
        return keys
    }

    func restore() {
        let (original, reportsReleases) = state.withLock { state in
            defer { state = State() }
            return (state.original, state.reportsReleases)
        }
        guard var original else { return }
        if reportsReleases { try? screen.write(Self.restoreKeys) }
        tcsetattr(input, TCSAFLUSH, &original)
        vg_terminal_guard_end()
    }

    private var hasKeys: Bool { state.withLock { $0.original != nil } }

    /// Repeated after Ctrl-Z and fg, because the shell changes the mode.
    private func takeKeys() {
        guard var mode = state.withLock({ $0.original }) else { return }
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(input, TCSANOW, &mode)
    }

    private func askForReleases() {
        let isNew = state.withLock { state in
            defer { state.reportsReleases = true }
            return !state.reportsReleases && state.original != nil
        }
        if isNew { try? screen.write(Self.reportReleases) }
    }
}

/// Reads keys from a terminal's bytes, also of kitty's keyboard protocol
/// (<https://sw.kovidgoyal.net/kitty/keyboard-protocol/>): `CSI code ; modifiers : event u`, where event 1 is pressed,
/// 2 repeated and 3 released; `CSI ? flags u` is the answer to the query.
struct TalkKeyReader {
    private enum State {
        case text, escape
        case sequence([UInt8])
    }

    /// Longer sequences are ignored.
    private static let longestSequence = 32
    private var state = State.text

    mutating func key(_ byte: UInt8) -> TalkKey? {
        switch state {
        case .text where byte == 0x1B: state = .escape
        case .text: return Self.plain(byte)
        case .escape where byte == UInt8(ascii: "["): state = .sequence([])
        case .escape: state = .text
        case .sequence(let bytes):
            // Parameters, until the final byte (ECMA-48, 5.4).
            if (0x20...0x3F).contains(byte), bytes.count < Self.longestSequence {
                state = .sequence(bytes + [byte])
            } else {
                state = .text
                if byte == UInt8(ascii: "u") { return Self.kitty(String(decoding: bytes, as: UTF8.self)) }
            }
        }
        return nil
    }

    private static func plain(_ byte: UInt8) -> TalkKey? {
        switch byte {
        case UInt8(ascii: " "): .struck
        // 4 is Ctrl-D; Ctrl-C is a signal here.
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "q"), 0x04: .end
        default: nil
        }
    }

    private static func kitty(_ parameters: String) -> TalkKey? {
        if parameters.hasPrefix("?") { return .reportsReleases }
        let fields = parameters.split(separator: ";", omittingEmptySubsequences: false)
        let code = fields.first.flatMap { $0.split(separator: ":").first }.flatMap { UInt32($0) }
        let second = fields.count > 1 ? fields[1].split(separator: ":").compactMap { UInt32($0) } : []
        let isControl = ((second.first ?? 1) &- 1) & 4 != 0
        let event = second.count > 1 ? second[1] : 1
        switch (code, event) {
        case (32, 1): return .pressed
        case (32, 3): return .released
        case (13, 1), (113, 1): return .end
        // Ctrl-C and Ctrl-D are keys in this protocol.
        case (99, 1), (100, 1): return isControl ? .end : nil
        default: return nil
        }
    }
}

enum TalkKey: Sendable, Hashable {
    /// The space bar is pressed and released.
    case pressed, released
    /// The space bar, in a terminal that does not report releases.
    case struck
    case end
    /// The terminal can report releases.
    case reportsReleases
}
