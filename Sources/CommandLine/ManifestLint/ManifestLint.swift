import Authorization
import Foundation

/// Checks the texts and declarations of a manifest, as its prompt will show them. Does not read files itself.
public struct ManifestLint: Sendable {
    static let manifestFile = "Info.plist"

    let program: @Sendable (String) -> ProgramFacts?

    /// - Parameter program: returns the facts about the file at an absolute path; `nil` if there is no such file.
    public init(program: @escaping @Sendable (String) -> ProgramFacts?) { self.program = program }

    /// All findings: errors first, then by file.
    ///
    /// - Parameter translations: the `InfoPlist.strings` files next to the manifest.
    public func findings(manifest data: Data, translations: [Translation] = []) -> [LintFinding] {
        let (subject, problems) = LintSubject.read(data, translations)
        var findings = problems
        if let subject {
            findings += texts(subject) + translationTexts(subject) + dataItems(subject) + permissions(subject)
            findings += programs(subject)
        }
        let order = LintSeverity.allCases
        let ranked = findings.enumerated().sorted { one, other in
            let (left, right) = (
                order.firstIndex(of: one.element.severity), order.firstIndex(of: other.element.severity)
            )
            return (left ?? 0, one.element.file, one.offset) < (right ?? 0, other.element.file, other.offset)
        }
        return ranked.map(\.element)
    }
}

/// A problem in a manifest.
public struct LintFinding: Sendable, Hashable, Codable {
    /// `Info.plist`, or the translation, such as `ja.lproj/InfoPlist.strings`.
    public let file: String
    public let rule: LintRule
    public let severity: LintSeverity
    /// The key; for a purpose, `DICTIONARY.PURPOSE`. `nil`: the whole file.
    public let key: String?
    /// The problem and its correction, as sentences.
    public let message: String
    /// A good text, in the language of the text in question.
    public let example: String?

    init(_ rule: LintRule, _ file: String, _ key: String?, _ message: String, example: String? = nil) {
        self.file = file
        self.rule = rule
        self.severity = rule.severity
        self.key = key
        self.message = message
        self.example = example
    }
}

public enum LintSeverity: String, Sendable, Codable, Hashable, CaseIterable {
    /// The prompt would be incomplete or untrue, or the manifest does not work.
    case error
    /// The prompt could be clearer.
    case warning
    /// A suggestion.
    case hint
}

/// The rules. Raw values are codes that do not change.
public enum LintRule: String, Sendable, Codable, Hashable, CaseIterable {
    /// The manifest, or one of its translations, cannot be read.
    case unreadable
    /// A required key, or one of the two usage descriptions.
    case missingKey
    case wrongValue

    // One text.
    case placeholder
    /// Only the name of the resource.
    case onlyName
    /// Says that something is used, but not what for.
    case vague
    /// Could describe any program.
    case emptyPromise
    /// Does not say how the user benefits.
    case noBenefit
    case tooShort
    case tooLong
    /// Longer than a prompt shows.
    case cutOff
    /// Characters that a prompt removes: control characters and characters that change the direction of text.
    case hiddenCharacters
    /// Not in the declared language, or not in the language of its folder.
    case wrongLanguage

    // Texts together.
    case undeclaredLanguage
    case noHandling
    case missingTranslation
    case unusedTranslation

    // The four data items.
    case undeclaredRecipients
    case blankRecipient
    case undeclaredRetention
    case vagueRetention
    case retentionOfNothing
    /// Data that VoiceGate shall keep, but that the other items do not declare; it is not kept.
    case undeclaredKeeping

    // Least privilege.
    case unneededMicrophone
    case unneededBackground
    case unexplainedBackground
    case unexplainedAlways
    case unknownBackgroundMode
    case purposeWithoutPhrases
    /// A context phrase with digits or symbols.
    case unspokenContextPhrase

    // Programs.
    case missingProgram
    case notExecutable
    case writableProgram

    public var severity: LintSeverity {
        switch self {
        case .unreadable, .missingKey, .wrongValue, .placeholder, .onlyName, .vague, .cutOff, .hiddenCharacters,
            .wrongLanguage, .undeclaredRetention, .undeclaredKeeping, .unneededMicrophone, .unneededBackground,
            .unexplainedBackground,
            .unexplainedAlways, .missingProgram, .notExecutable, .writableProgram:
            .error
        case .emptyPromise, .noBenefit, .tooShort, .tooLong, .undeclaredLanguage, .missingTranslation,
            .undeclaredRecipients, .blankRecipient, .vagueRetention, .retentionOfNothing, .purposeWithoutPhrases,
            .unspokenContextPhrase:
            .warning
        case .noHandling, .unusedTranslation, .unknownBackgroundMode:
            .hint
        }
    }
}

/// A manifest and its translations, as far as they can be parsed.
struct LintSubject {
    let manifest: Manifest
    /// The keys that are present and valid.
    let keys: Set<String>
    let translations: [(file: String, language: String, texts: ManifestTexts)]

    /// An invalid key is reported and removed, so that the other keys are checked too.
    static func read(_ data: Data, _ translations: [Translation]) -> (LintSubject?, [LintFinding]) {
        var findings: [LintFinding] = []
        let file = ManifestLint.manifestFile
        var data = data
        var replaced: Set<String> = []
        while true {
            do {
                let manifest = try Manifest(propertyList: data)
                let keys = Set(dictionary(data)?.keys ?? [:].keys).subtracting(replaced)
                let (texts, problems) = texts(translations, of: manifest)
                return (LintSubject(manifest: manifest, keys: keys, translations: texts), findings + problems)
            } catch {
                findings.append(LintFinding(rule(error.code), file, error.key, error.message))
                guard let key = error.key, replaced.insert(key).inserted, var entries = dictionary(data) else {
                    return (nil, findings)
                }
                entries[key] = substitutes[key]
                guard
                    let rest = try? PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
                else { return (nil, findings) }
                data = rest
            }
        }
    }

    /// Values for required keys that are invalid.
    private static let substitutes = [
        "CFBundleIdentifier": "unknown", "CFBundleExecutable": "/", "VoiceGateScript": "/",
    ]

    private static func dictionary(_ data: Data) -> [String: Any]? {
        try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
    }

    private static func rule(_ code: ManifestError.Code) -> LintRule {
        switch code {
        case .tooLarge, .notPropertyList, .tooComplex, .notDictionary: .unreadable
        case .missingKey: .missingKey
        case .wrongType, .invalidValue: .wrongValue
        }
    }

    private static func texts(
        _ translations: [Translation], of manifest: Manifest
    ) -> ([(file: String, language: String, texts: ManifestTexts)], [LintFinding]) {
        var read: [(file: String, language: String, texts: ManifestTexts)] = []
        var findings: [LintFinding] = []
        for translation in translations {
            do {
                let texts = try ManifestTexts(
                    strings: translation.data, purposeKeys: manifest.temporaryFullFidelityPurposes.keys)
                read.append((translation.file, translation.language, texts))
            } catch {
                findings.append(LintFinding(rule(error.code), translation.file, error.key, error.message))
            }
        }
        return (read, findings)
    }
}

/// Facts about a file that a manifest names as a program.
public struct ProgramFacts: Sendable, Hashable {
    public let isExecutable: Bool
    /// Any user who can write the file can impersonate the client.
    public let isWritableByAll: Bool

    /// - Parameter isExecutable: whether it is a regular, executable file.
    public init(isExecutable: Bool, isWritableByAll: Bool) {
        self.isExecutable = isExecutable
        self.isWritableByAll = isWritableByAll
    }
}
