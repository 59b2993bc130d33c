import Foundation
import Texts

/// A language of VoiceGate's texts. Raw values are BCP 47.
public enum Language: String, Sendable, Codable, Hashable, CaseIterable {
    case english = "en"
    case japanese = "ja"
    case korean = "ko"

    /// Reads a language tag (`ja-JP`) or a locale's name (`ja_JP.UTF-8`).
    ///
    /// - Returns: `nil` for another language. `C` and `POSIX` are English.
    public init?(tag: String) {
        let primary = tag.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }
        if primary == "C" || primary == "POSIX" {
            self = .english
        } else {
            self.init(rawValue: primary.lowercased())
        }
    }

    /// The language of the locale of messages. English for another language or none.
    public init(environment: [String: String]) {
        self = Self.locale(in: environment).flatMap { Language(tag: $0) } ?? .english
    }

    /// The locale of messages: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty (setlocale(3)), whether or
    /// not it is installed.
    public static func locale(in environment: [String: String]) -> String? {
        ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// The language that an `Accept-Language` header (RFC 9110, section 12.5.4) prefers.
    ///
    /// - Returns: `nil` if it names none of these; only the beginning of a long header is read.
    public init?(acceptLanguage header: String) {
        var best: (language: Language, weight: Double)?
        for part in header.prefix(256).split(separator: ",").prefix(20) {
            let fields = part.split(separator: ";").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ")) }
            guard let tag = fields.first, let language = Language(tag: tag) else { continue }
            let quality = fields.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            let weight = quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
        }
        guard let best else { return nil }
        self = best.language
    }

    public var texts: StringTable {
        switch self {
        case .english: .english
        case .japanese: .japanese
        case .korean: .korean
        }
    }

    public var wording: Wording { Wording(language: self) }
}
