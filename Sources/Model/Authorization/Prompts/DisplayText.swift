/// Makes text from outside safe to show: one line, no control or direction-changing characters, bounded.
///
/// A name with a newline or a right-to-left override could otherwise draw a prompt of its own.
public enum DisplayText {
    /// - Parameter limit: characters that are kept; a longer text ends in "…".
    public static func cleaned(_ text: String, limit: Int) -> String {
        // Bounded before it is walked by grapheme: one "character" may hold any number of combining scalars.
        var kept = String.UnicodeScalarView()
        var lastWasSpace = true
        for scalar in text.unicodeScalars.prefix(limit * 4) {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                if !lastWasSpace { kept.append(" ") }
                lastWasSpace = true
            } else if isShown(scalar) {
                kept.append(scalar)
                lastWasSpace = false
            }
        }
        let line = String(kept).trimmingSuffix(" ")
        return line.count <= limit ? line : line.prefix(limit - 1) + "…"
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self[...]
        while text.last == character { text.removeLast() }
        return String(text)
    }
}
