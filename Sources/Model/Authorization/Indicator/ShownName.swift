/// A client's name where it must be seen: one that looks like nothing gives way to the identifier.
public enum ShownName {
    /// Letters and symbols by their category, and blank on every screen: fillers of Hangul, and Braille without a dot.
    private static let blanks: Set<Unicode.Scalar> = ["\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{2800}"]

    public static func text(_ name: String, of client: ClientIdentifier) -> String {
        let kept = String(String.UnicodeScalarView(name.unicodeScalars.filter { !blanks.contains($0) }))
        let cleaned = DisplayText.cleaned(kept, limit: 60)
        return cleaned.unicodeScalars.contains(where: isVisible) ? cleaned : client.rawValue
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .spaceSeparator: false
        default: true
        }
    }
}
