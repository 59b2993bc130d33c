/// The name of a note's key, which for a log's own key is also its origin.
enum KeyName {
    static let maximumLength = 255

    /// C2SP signed-note: not empty, no Unicode spaces, no plus. Control characters would break the note's lines, and those
    /// that change the direction of text would show another name than the one that signed.
    static func isValid(_ name: String) -> Bool {
        (1...maximumLength).contains(name.utf8.count) && name.unicodeScalars.allSatisfy(isValid)
    }

    private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isWhitespace && scalar != "+"
        }
    }
}
