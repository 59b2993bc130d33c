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

/// Turns keys into listening and not listening.
struct TalkSteering: Sendable {
    let steering: SessionSteering
    let end: @Sendable () -> Void

    func follow(_ terminal: TalkTerminal) async {
        var isTalking = false
        for await key in terminal.keys() {
            switch key {
            case .pressed: isTalking = true
            case .released: isTalking = false
            case .struck: isTalking.toggle()
            case .end: end()
            case .canTellReleases: break
            }
            await steering.talk(isTalking)
        }
    }
}

/// Reads keys from what a terminal sends, byte by byte; also by kitty's keyboard protocol
/// (<https://sw.kovidgoyal.net/kitty/keyboard-protocol/>): `CSI code ; modifiers : event u`, where event 1 is pressed,
/// 2 repeated and 3 let go, and `CSI ? flags u` answers the question whether the terminal knows it.
struct TalkKeyReader {
    private enum State {
        case text, escape
        case sequence([UInt8])
    }

    /// A longer sequence is none of ours.
    private static let longestSequence = 32
    private var state = State.text

    mutating func key(_ byte: UInt8) -> TalkKey? {
        switch state {
        case .text where byte == 0x1B:
            state = .escape
        case .text:
            return Self.plain(byte)
        case .escape where byte == UInt8(ascii: "["):
            state = .sequence([])
        case .escape:
            state = .text
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
        // Ctrl-D ends input; Ctrl-C is a signal here.
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "q"), 0x04: .end
        default: nil
        }
    }

    private static func kitty(_ parameters: String) -> TalkKey? {
        if parameters.hasPrefix("?") { return .canTellReleases }
        let fields = parameters.split(separator: ";", omittingEmptySubsequences: false)
        let code = fields.first.flatMap { $0.split(separator: ":").first }.flatMap { UInt32($0) }
        let second = fields.count > 1 ? fields[1].split(separator: ":").compactMap { UInt32($0) } : []
        let isControl = ((second.first ?? 1) &- 1) & 4 != 0
        let event = second.count > 1 ? second[1] : 1
        switch (code, event) {
        case (32, 1): return .pressed
        case (32, 3): return .released
        case (13, 1), (113, 1): return .end
        // Ctrl-C and Ctrl-D, which are keys like others in this protocol.
        case (99, 1), (100, 1): return isControl ? .end : nil
        default: return nil
        }
    }
}

/// What a person says by keys while they dictate.
enum TalkKey: Sendable, Hashable {
    /// The space bar is held, and let go.
    case pressed, released
    /// The space bar, at a terminal that does not tell when it is let go.
    case struck
    /// Enough.
    case end
    /// The terminal can tell when keys are let go.
    case canTellReleases
}
