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

    /// Types with arguments that clients may not choose, or that are not microphones.
    private static let reserved: Set<String> = [
        "file", "tee", "plug", "shm", "share", "null", "dmix", "dshare", "cards", "hooks", "empty",
    ]

    private static func isAllowed(_ text: String) -> Bool {
        guard text.utf8.count <= 128, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        if text.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_-]{0,63}/) != nil {
            return !reserved.contains(text.lowercased())
        }
        // The first argument is the card, the others are numbers; each may have its name before it.
        let card =
            #/
            (hw | plughw | dsnoop | sysdefault | default | pulse | pipewire) :
            ( (CARD=)? [A-Za-z0-9_][A-Za-z0-9_\-]{0,31} | (SUB)? DEV= [0-9]{1,4} )
            ( , ( CARD= [A-Za-z0-9_][A-Za-z0-9_\-]{0,31} | ((SUB)? DEV=)? [0-9]{1,4} ) ){0,2}
            /#
        return text.wholeMatch(of: card) != nil
    }

    private static func printable(_ text: String) -> String {
        String(
            decoding: text.utf8.prefix(64).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
