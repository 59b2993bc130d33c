/// The language of a text, if it is one of those whose texts are judged: English, Japanese, Korean.
struct TextLanguage: Hashable {
    /// The most frequent script; `nil` for a text without letters.
    let script: Script?
    /// `en`, `ja` or `ko`; `nil` if unknown.
    let code: String?

    init(_ text: String) {
        var weights: [Script: Int] = [:]
        for scalar in text.unicodeScalars {
            // A character of an East Asian script carries about as much as two letters.
            if let script = Script(scalar) { weights[script, default: 0] += script.columns }
        }
        // Japanese mixes the two; Chinese has no kana.
        if let kana = weights[.kana], let han = weights.removeValue(forKey: .han) { weights[.kana] = kana + han }
        let script = weights.max { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key
        self.script = script
        switch script {
        case .kana: code = "ja"
        case .hangul: code = "ko"
        case .latin: code = Self.isEnglish(text) ? "en" : nil
        default: code = nil
        }
    }

    /// - Parameter expected: a language tag, such as `ja` or `pt-BR`.
    func contradicts(_ expected: String) -> Bool {
        switch (Self.primary(expected), script) {
        case (_, nil): false
        case ("en", .latin), ("ja", .kana), ("ja", .han), ("ko", .hangul): false
        case ("en", _), ("ja", _), ("ko", _): true
        // Texts in other languages are not judged, but one in these three is not in any of those.
        default: code != nil
        }
    }

    /// The language of a tag, or of a language name as used in old property lists.
    static func primary(_ tag: String) -> String {
        let word = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return ["english": "en", "japanese": "ja", "korean": "ko"][word] ?? word
    }

    private static func isEnglish(_ text: String) -> Bool {
        text.lowercased().split { !$0.isLetter }.count { commonWords.contains(String($0)) } >= 2
    }

    private static let commonWords: Set<String> = [
        "the", "to", "and", "of", "your", "you", "this", "for", "that", "with", "are", "not", "what", "while", "when",
        "access", "into", "required", "needs", "uses", "it", "say",
    ]
}

/// A writing system, as far as it distinguishes the judged languages.
enum Script: Hashable {
    case latin, kana, han, hangul
    /// Letters of any other.
    case other

    /// By Unicode blocks; `nil` for characters that no single script uses, such as digits and punctuation.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: self = .latin
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .hangul
        case 0x3041...0x30FA, 0x31F0...0x31FF, 0xFF66...0xFF9D: self = .kana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .han
        default:
            guard scalar.properties.isAlphabetic else { return nil }
            self = .other
        }
    }

    var columns: Int { [.kana, .han, .hangul].contains(self) ? 2 : 1 }

    /// The length of a text in columns: a character of Chinese, Japanese or Korean counts as two.
    static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + ($1.unicodeScalars.first.flatMap(Script.init)?.columns ?? 1) }
    }
}
