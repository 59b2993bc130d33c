import Speech

/// A PCM name that clients may use.
///
/// ALSA's names are a small language: `file:FILE=/etc/passwd` writes a file, `file:'|command'` runs a command,
/// `plug:'{ type file … }'` hides either. Therefore only two forms are allowed, without paths, quotation marks and braces:
///
/// - a name in the configuration: 1 to 64 of `A–Z a–z 0–9 _ -`;
/// - `hw`, `plughw`, `dsnoop`, `sysdefault`, `default`, `pulse` or `pipewire` with `CARD=`, `DEV=`, `SUBDEV=`, or the
///   same by position: `hw:CARD=PCH,DEV=0`, `hw:0,0`.
///
/// `PCMDefinition` checks the name's definition when it is opened.
public struct ALSADeviceName: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// - Throws: `deviceNameRefused`; the message has only printable characters.
    public init(_ text: String) throws(CaptureError) {
        guard Self.isAllowed(text) else {
            throw CaptureError(
                code: .deviceNameRefused, device: Self.printable(text),
                message:
                    "The device name “\(Self.printable(text))” cannot be used. Choose one that `voicegate devices` "
                    + "lists, or a card such as hw:CARD=PCH,DEV=0.")
        }
        self.text = text
    }

    public var description: String { text }

    /// Types with arguments that clients may not choose, or that are no microphones.
    private static let reserved: Set<String> = [
        "file", "tee", "plug", "shm", "share", "null", "dmix", "dshare", "cards", "hooks", "empty",
    ]
    private static let takingArguments: Set<String> = [
        "hw", "plughw", "dsnoop", "sysdefault", "default", "pulse", "pipewire",
    ]
    private static let argumentNames = ["CARD", "DEV", "SUBDEV"]

    private static func isAllowed(_ text: String) -> Bool {
        guard (1...128).contains(text.utf8.count) else { return false }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard isWord(parts[0], atMost: 64), !reserved.contains(parts[0].lowercased()) else { return false }
        guard parts.count == 2 else { return true }
        guard takingArguments.contains(String(parts[0])) else { return false }
        let arguments = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        guard arguments.count <= argumentNames.count else { return false }
        return arguments.indices.allSatisfy { isAllowed(argument: arguments[$0], at: $0) }
    }

    private static func isAllowed(argument: Substring, at index: Int) -> Bool {
        let pair = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = pair.count == 2 ? String(pair[0]) : argumentNames[index]
        let value = pair[pair.count - 1]
        switch name {
        case "CARD": return isWord(value, atMost: 32)
        case "DEV", "SUBDEV":
            return (1...4).contains(value.utf8.count) && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        default: return false
        }
    }

    private static func isWord(_ text: Substring, atMost length: Int) -> Bool {
        guard (1...length).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else { return false }
        return text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    private static func printable(_ text: String) -> String {
        String(
            decoding: text.utf8.prefix(64).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
