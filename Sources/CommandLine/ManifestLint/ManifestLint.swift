import Authorization
import Foundation

/// Looks at a manifest with the eyes of the person who will read its prompt.
///
/// Pure: what is on disk comes as bytes, and what is known of programs by a closure.
public struct ManifestLint: Sendable {
    static let manifestFile = "Info.plist"

    let program: @Sendable (String) -> ProgramFacts?

    /// - Parameter program: what is known of the file at an absolute path; `nil`: there is none.
    public init(program: @escaping @Sendable (String) -> ProgramFacts?) { self.program = program }

    /// All findings: the errors first, then by file and key.
    ///
    /// - Parameter translations: the `InfoPlist.strings` beside the manifest.
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

/// One thing that is wrong with a manifest.
public struct LintFinding: Sendable, Hashable, Codable {
    /// `Info.plist`, or the translation, such as `ja.lproj/InfoPlist.strings`.
    public let file: String
    public let rule: LintRule
    public let severity: LintSeverity
    /// The key it is about; a purpose is named as `DICTIONARY.PURPOSE`. `nil`: the file as a whole.
    public let key: String?
    /// What is wrong and what to write instead, as sentences.
    public let message: String
    /// A good text, in the language of the text that is not.
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

/// How bad a finding is.
public enum LintSeverity: String, Sendable, Codable, Hashable, CaseIterable {
    /// The person would be told too little or something untrue, or the manifest does not work.
    case error
    /// The person could be told better.
    case warning
    /// Worth a thought.
    case hint
}

/// What is looked for. The raw values are codes that do not change.
public enum LintRule: String, Sendable, Codable, Hashable, CaseIterable {
    /// The manifest, or one of its translations, cannot be read.
    case unreadable
    /// A key that every manifest needs, or one of the two usage descriptions.
    case missingKey
    case wrongValue

    // One text.
    case placeholder
    /// Nothing but the resource's name.
    case onlyName
    /// Says that something is used, not for what.
    case vague
    /// Promises that fit every program.
    case emptyPromise
    /// No word on what the person has from it.
    case noBenefit
    case tooShort
    case tooLong
    /// Longer than a prompt shows.
    case cutOff
    /// Characters that a prompt takes out: control characters and those that turn the writing around.
    case hiddenCharacters
    /// Written in another language than the client's, or than its folder says.
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
    /// VoiceGate is to keep what the other items do not declare, and so does not.
    case undeclaredKeeping

    // Least permission.
    case unneededMicrophone
    case unneededBackground
    case unexplainedBackground
    case unexplainedAlways
    case unknownBackgroundMode
    case purposeWithoutPhrases
    /// A context phrase with something in it that is not said as it is written.
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

/// A manifest that was read, as far as it can be.
struct LintSubject {
    let manifest: Manifest
    /// Keys that are there.
    let keys: Set<String>
    let translations: [(file: String, language: String, texts: ManifestTexts)]

    /// A key that cannot be used is reported and taken out, so that the others are looked at too.
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

    /// For keys without which nothing can be read.
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

/// What is known of a file that a manifest names as a program.
public struct ProgramFacts: Sendable, Hashable {
    public let isExecutable: Bool
    /// Whoever can write it can be the client.
    public let isWritableByAll: Bool

    /// - Parameter isExecutable: a regular file that can be run.
    public init(isExecutable: Bool, isWritableByAll: Bool) {
        self.isExecutable = isExecutable
        self.isWritableByAll = isWritableByAll
    }
}
