import Authorization
import Foundation

/// A spoken language, as a BCP 47 tag names it. Engines are chosen by its code alone, and not by regions.
public struct SpokenLanguage: Sendable, Hashable, CustomStringConvertible {
    /// The primary subtag in lower case: of ISO 639-1, if that has the language (`de`, not `deu`).
    public let code: String
    /// As it was written, with hyphens.
    public let tag: String

    /// Instead of a tag in requests: any language of the engine.
    public static let any = "auto"

    public var description: String { code }

    /// - Returns: `nil` if the text is not a tag such as `en`, `en-US` or `zh-Hant-TW`.
    public init?(tag: String) {
        let parts = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let isTag = parts.dropFirst().allSatisfy {
            (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard tag.utf8.count <= 35, isTag, let first = parts.first, (2...3).contains(first.count),
            first.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        let code = first.lowercased()
        self.code = code.count == 2 ? code : Locale.LanguageCode(code).identifier(.alpha2) ?? code
        self.tag = parts.joined(separator: "-")
    }

    /// Reads what a request names: a tag of a language that ISO 639 has, or an English name such as `german`, as Whisper's
    /// clients write it.
    public init?(named text: String) {
        if let language = SpokenLanguage(tag: text), language.name != nil {
            self = language
        } else {
            self.init(englishName: text)
        }
    }

    /// - Parameter name: such as `german`.
    public init?(englishName name: String) {
        guard let code = Self.codes[Self.folded(name)] else { return nil }
        self.init(tag: code)
    }

    /// After the refusal of a text that is not a tag: ` For Japanese write ja.`
    ///
    /// - Returns: nothing if the text is not the name of a language.
    public static func advice(for text: String) -> String {
        SpokenLanguage(englishName: text).map { " For \(text) write \($0.code)." } ?? ""
    }

    /// What a person speaks who names no language: the language of the locale of messages.
    ///
    /// - Returns: `nil` if that is English, as it is for many who speak another, or if there is none (`C`, `POSIX`): then the
    ///   engine that was chosen decides.
    public static func ofLocale(in environment: [String: String]) -> SpokenLanguage? {
        let locale = Language.locale(in: environment)?.prefix { $0 != "." && $0 != "@" }
        guard let language = locale.flatMap({ SpokenLanguage(tag: String($0)) }), language.name != nil,
            language.code != Language.english.rawValue
        else { return nil }
        return language
    }

    /// In English and in lower case; `nil` if ISO 639 has no such language.
    public var name: String? {
        guard !Self.noLanguages.contains(code), let name = Self.english.localizedString(forLanguageCode: code),
            name.lowercased() != code
        else { return nil }
        return name.lowercased()
    }

    private static let english = Locale(identifier: "en")
    /// ISO 639-2: undetermined, no linguistic content, several.
    private static let noLanguages: Set<String> = ["und", "zxx", "mul", "mis"]

    /// Codes by names. Whisper's own names, where the locale's are others, are those of `whisper/tokenizer.py`.
    private static let codes: [String: String] = {
        var codes = [
            "bengali": "bn", "castilian": "es", "flemish": "nl", "haitian": "ht", "letzeburgesch": "lb",
            "mandarin": "zh", "moldavian": "ro", "moldovan": "ro", "myanmar": "my", "nynorsk": "nn", "panjabi": "pa",
            "pushto": "ps", "sinhalese": "si", "tagalog": "tl", "valencian": "ca",
        ]
        for code in Locale.LanguageCode.isoLanguageCodes.map(\.identifier) where !noLanguages.contains(code) {
            if let name = english.localizedString(forLanguageCode: code) { codes[folded(name)] = code }
        }
        return codes
    }()

    private static func folded(_ name: String) -> String {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: english)
    }
}
