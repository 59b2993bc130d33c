/// Makes outside text safe to show: of it only glyphs with ink and single spaces remain, so that it can neither imitate a prompt
/// nor decide where its parts are shown.
public enum DisplayText {
    /// Marks on one character. Vietnamese has up to two, Hebrew and Tibetan three.
    static let mostMarks = 3

    /// One line.
    ///
    /// - Parameter limit: characters; a longer text ends in "…". Default: the whole text.
    public static func cleaned(_ text: String, limit: Int = .max) -> String {
        // Most texts are printable ASCII already.
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) || $0 == 0x20 }),
            !text.hasPrefix(" "), !text.hasSuffix(" "), !text.utf8.contains("  ".utf8)
        {
            return text
        }
        // Bounded before characters are counted: one character may contain any number of scalars.
        let (most, isAll) = limit.multipliedReportingOverflow(by: 4)
        var kept = String.UnicodeScalarView()
        var ink = Ink()
        var lastWasSpace = true
        for scalar in text.unicodeScalars.prefix(isAll ? .max : most) {
            switch ink.part(scalar) {
            case .glyph:
                kept.append(scalar)
                lastWasSpace = false
            case .space, .control:
                if !lastWasSpace { kept.append(" ") }
                lastWasSpace = true
            case .joiner, .hidden: break
            }
        }
        if kept.last == " " { kept.removeLast() }
        let line = String(kept)
        return line.count <= limit ? line : line.prefix(limit - 1) + "…"
    }

    /// Makes outside text safe to print in a log: a character that a prompt would not show becomes `\u{…}`, so that it can
    /// neither begin a line, nor control the terminal, nor turn the text around it.
    public static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var ink = Ink()
        for scalar in text.unicodeScalars {
            if ink.part(scalar) == .glyph || scalar.properties.generalCategory == .spaceSeparator {
                result.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
            }
        }
        return String(result)
    }

    /// Whether a character could end the quotation marks in which texts are shown.
    package static func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.isQuotationMark
    }

    /// A name that ends no quotation marks: " is in the place of such characters.
    package static func unquoted(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map { isQuotationMark($0) ? "\"" : $0 }))
    }

    /// The first character that is neither shown nor a space; `nil`: the whole text is shown. Joiners, which emoji and some
    /// scripts need, are allowed, and never shown.
    package static func firstHidden(in text: String) -> Unicode.Scalar? {
        var ink = Ink()
        return text.unicodeScalars.first { [.control, .hidden].contains(ink.part($0)) }
    }
}

/// What is visible of the characters of a text, in their order.
private struct Ink {
    enum Part {
        case glyph, space, control, joiner, hidden
    }

    /// On the last character; as many as are permitted if there is none.
    private var marks = DisplayText.mostMarks

    mutating func part(_ scalar: Unicode.Scalar) -> Part {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .spaceSeparator: return space()
        case .control:
            // Texts in an Info.plist are often indented.
            return ["\n", "\t", "\r"].contains(scalar) ? space() : .control
        case .lineSeparator, .paragraphSeparator: return .control
        case .privateUse, .surrogate, .unassigned: return .hidden
        case _ where Self.isJoiner(scalar): return .joiner
        case .format: return .hidden
        case _ where properties.isDefaultIgnorableCodePoint || Self.isBlank(scalar): return .hidden
        case .nonspacingMark, .enclosingMark: return mark()
        case _ where Self.isVowelOrFinal(scalar): return mark()
        default:
            marks = 0
            return .glyph
        }
    }

    private mutating func space() -> Part {
        // A mark would be drawn on what is before the space.
        marks = DisplayText.mostMarks
        return .space
    }

    private mutating func mark() -> Part {
        guard marks < DisplayText.mostMarks else { return .hidden }
        marks += 1
        return .glyph
    }

    /// ZWNJ, ZWJ, and the choice between the text and the emoji form.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        (0x200C...0x200D).contains(scalar.value) || (0xFE0E...0xFE0F).contains(scalar.value)
    }

    /// Characters of visible categories whose glyph is empty: of braille, of musical notation, of Khitan and of hieroglyphs.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        [0x2800, 0x1D159, 0x16FE4, 0x13441, 0x13442].contains(scalar.value)
    }

    /// Conjoining Hangul after the first consonant of a syllable adds no column.
    private static func isVowelOrFinal(_ scalar: Unicode.Scalar) -> Bool {
        (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
    }
}
