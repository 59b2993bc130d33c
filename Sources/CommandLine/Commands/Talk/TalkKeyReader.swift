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
