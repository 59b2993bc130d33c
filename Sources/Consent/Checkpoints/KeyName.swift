/// The name of a note's key, which for a log's own key is also its origin.
enum KeyName {
    static let maximumLength = 255

    /// C2SP signed-note: not empty, no Unicode spaces, no plus. Control characters would break the note's lines.
    static func isValid(_ name: String) -> Bool {
        (1...maximumLength).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0 != "+" && $0.value >= 0x20 }
    }
}
