/// A writing system, as far as it tells languages apart.
enum Script: Hashable {
    case latin, kana, han, hangul, cyrillic, greek, arabic, hebrew, thai, devanagari

    /// By blocks of the Unicode standard; `nil` for what belongs to no one script, such as digits and punctuation.
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

    /// - Returns: `nil` for a language that is not known here.
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
}
