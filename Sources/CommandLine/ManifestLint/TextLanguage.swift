/// The language of a text, detected by its script and, for the Latin script, by common words.
struct TextLanguage: Hashable {
    /// The most frequent script; `nil` for a text without letters.
    let script: Script?
    /// BCP 47; `nil` if unknown.
    let code: String?

    init(_ text: String) {
        var weights: [Script: Int] = [:]
        for scalar in text.unicodeScalars {
            // A character of an East Asian script carries about as much as two letters.
            if let script = Script(scalar) {
                weights[script, default: 0] += [.latin, .cyrillic].contains(script) ? 1 : 2
            }
        }
        // Japanese mixes the two; Chinese has no kana.
        if let kana = weights[.kana], let han = weights.removeValue(forKey: .han) { weights[.kana] = kana + han }
        let script = weights.max { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }?.key
        self.script = script
        switch script {
        case .kana: code = "ja"
        case .hangul: code = "ko"
        case .latin: code = Self.latinLanguage(of: text)
        default: code = nil
        }
    }

    /// - Parameter expected: a language tag, such as `ja` or `pt-BR`.
    func contradicts(_ expected: String) -> Bool {
        let expected = Self.primary(expected)
        guard let script, let scripts = Script.scripts(ofLanguage: expected) else { return false }
        guard scripts.contains(script) else { return true }
        guard script == .latin, let code, Self.commonWords[expected] != nil else { return false }
        return code != expected
    }

    /// The language of a tag, or of a language name as used in old property lists.
    static func primary(_ tag: String) -> String {
        let word = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return ["english": "en", "japanese": "ja", "korean": "ko", "german": "de", "french": "fr"][word] ?? word
    }

    /// The language with the most common words, if there are at least two and no tie.
    private static func latinLanguage(of text: String) -> String? {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        let scores = commonWords.map { code, common in (code: code, hits: words.count { common.contains($0) }) }
            .sorted { $0.hits > $1.hits }
        guard let best = scores.first, best.hits >= 2, best.hits > scores.dropFirst().first?.hits ?? 0 else {
            return nil
        }
        return best.code
    }

    private static let commonWords: [String: Set<String>] = [
        "en": [
            "the", "to", "is", "and", "of", "your", "you", "this", "for", "that", "with", "app", "are", "not", "what",
            "while", "when", "on", "access", "into", "so", "required", "needs", "uses", "it", "say", "be",
        ],
        "de": [
            "der", "die", "das", "und", "ist", "nicht", "sie", "ihre", "ihr", "diese", "dieses", "für", "mit", "wird",
            "werden", "zu", "auf", "wenn", "zum", "den", "um", "damit", "verwendet",
        ],
        "fr": [
            "le", "la", "les", "et", "est", "pas", "vous", "votre", "vos", "cette", "pour", "avec", "des", "une", "sur",
            "afin", "au", "du", "dans", "ce", "vers",
        ],
        "es": [
            "el", "la", "los", "las", "y", "es", "no", "su", "tu", "esta", "para", "con", "una", "que", "al", "del",
            "se", "en", "micrófono",
        ],
        "it": [
            "il", "lo", "gli", "e", "è", "non", "tuo", "tua", "questa", "per", "con", "una", "che", "del", "della",
            "di", "si", "microfono",
        ],
        "pt": [
            "o", "os", "as", "e", "não", "seu", "sua", "este", "para", "com", "uma", "que", "do", "da", "ao", "em",
            "microfone",
        ],
        "nl": [
            "de", "het", "een", "en", "is", "niet", "uw", "je", "deze", "voor", "met", "wordt", "van", "op", "om",
            "microfoon",
        ],
    ]
}

/// A writing system, as far as it distinguishes languages.
enum Script: Hashable {
    case latin, kana, han, hangul, cyrillic, greek, arabic, hebrew, thai, devanagari

    /// By Unicode blocks; `nil` for characters that no single script uses, such as digits and punctuation.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: self = .latin
        case 0x370...0x3FF: self = .greek
        case 0x400...0x52F: self = .cyrillic
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F: self = .arabic
        case 0x900...0x97F: self = .devanagari
        case 0xE00...0xE7F: self = .thai
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .hangul
        case 0x3041...0x30FA, 0x31F0...0x31FF, 0xFF66...0xFF9D: self = .kana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .han
        default: return nil
        }
    }

    /// - Returns: `nil` for an unknown language.
    static func scripts(ofLanguage code: String) -> Set<Script>? {
        switch code {
        case "ja": [.kana, .han]
        case "zh", "yue": [.han]
        case "ko": [.hangul]
        case "ru", "uk", "bg", "be", "mk": [.cyrillic]
        case "el": [.greek]
        case "ar", "fa", "ur": [.arabic]
        case "he": [.hebrew]
        case "th": [.thai]
        case "hi", "mr", "ne": [.devanagari]
        case "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "nn", "no", "fi", "pl", "cs", "sk", "sl", "hr",
            "hu", "ro", "tr", "vi", "id", "ms", "ca", "et", "lv", "lt", "is", "ga", "eu", "gl":
            [.latin]
        default: nil
        }
    }

    /// The length of a text in columns: a character of Chinese, Japanese or Korean counts as two.
    static func columns(of text: String) -> Int {
        text.reduce(0) { sum, character in
            switch character.unicodeScalars.first.flatMap(Script.init) {
            case .kana, .han, .hangul: sum + 2
            default: sum + 1
            }
        }
    }
}
