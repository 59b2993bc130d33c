/// A word of a command that the user copies into a shell.
public enum ShellWord {
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { $0.isASCIIAlphanumeric || "/._-+:@%,=".utf8.contains($0) }
        return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
    }
}

extension UInt8 {
    package var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
