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
    /// - Parameter translations: the `InfoPlist.strings` files next to the manifest, by the names of their folders without
    ///   `.lproj`.
    public func findings(manifest data: Data, translations: [String: Data] = [:]) -> [LintFinding] {
        var findings: [LintFinding] = []
        if var subject = LintSubject(data, translations, problems: &findings) {
            subject.checkTexts()
            subject.checkTranslations()
            subject.checkDataItems()
            subject.checkPermissions()
            subject.checkPrograms(program)
            findings += subject.findings
        }
        return LintSeverity.allCases.flatMap { severity in
            findings.filter { $0.severity == severity }.sorted { $0.file < $1.file }
        }
    }
}

/// A problem in a manifest.
public struct LintFinding: Sendable, Hashable {
    /// `Info.plist`, or the translation, such as `ja.lproj/InfoPlist.strings`.
    public let file: String
    public let rule: LintRule
    /// The key; for a purpose, `DICTIONARY.PURPOSE`. `nil`: the whole file.
    public let key: String?
    /// The problem and its correction, as sentences.
    public let message: String
    /// A good text, in the language of the text in question.
    public internal(set) var example: String?

    public var severity: LintSeverity { rule.severity }
}

extension LintFinding {
    init(_ error: ManifestError, _ file: String) {
        let rule: LintRule =
            switch error.code {
            case .tooLarge, .notPropertyList, .tooComplex, .notDictionary: .unreadable
            case .missingKey: .missingKey
            case .wrongType, .invalidValue: .wrongValue
            case .tooLong: .cutOff
            case .hiddenCharacters: .hiddenCharacters
            }
        self.init(file: file, rule: rule, key: error.key, message: error.message)
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
    /// About another resource, such as the location.
    case otherResource
    /// Could describe any program.
    case emptyPromise
    /// Does not say how the user benefits.
    case noBenefit
    case tooShort
    case tooLong
    /// Longer than a prompt shows; the manifest is refused.
    case cutOff
    /// Characters that a prompt does not show; the manifest is refused.
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
    case unexplainedBackground
    case unexplainedAlways
    /// No text for the question about always.
    case missingAlwaysText
    /// A text for always, which nothing declares.
    case unneededAlways
    case unknownBackgroundMode
    case purposeWithoutPhrases
    /// A context phrase with digits or symbols.
    case unspokenContextPhrase

    // Programs.
    case missingProgram
    case notExecutable
    case writableProgram
    /// It runs the code of others, so that the manifest would describe all of it.
    case codeRunner

    public var severity: LintSeverity {
        switch self {
        case .unreadable, .missingKey, .wrongValue, .placeholder, .onlyName, .vague, .otherResource, .cutOff,
            .hiddenCharacters,
            .wrongLanguage, .undeclaredRetention, .undeclaredKeeping, .unneededMicrophone, .unexplainedBackground,
            .unexplainedAlways, .unneededAlways, .missingProgram, .notExecutable,
            .writableProgram, .codeRunner:
            .error
        case .emptyPromise, .noBenefit, .tooShort, .tooLong, .undeclaredLanguage, .missingTranslation,
            .undeclaredRecipients, .blankRecipient, .vagueRetention, .retentionOfNothing, .purposeWithoutPhrases,
            .unspokenContextPhrase, .missingAlwaysText:
            .warning
        case .noHandling, .unusedTranslation, .unknownBackgroundMode:
            .hint
        }
    }
}

/// A manifest and its translations, as far as they can be parsed, with the findings so far.
struct LintSubject {
    let manifest: Manifest
    /// The keys that are present and valid.
    let keys: Set<String>
    /// Those that are not valid; nothing else is found about them.
    let invalid: Set<String>
    private(set) var translations: [Translation] = []
    private(set) var findings: [LintFinding] = []

    /// An invalid key is reported and removed, so that the other keys are checked too.
    ///
    /// - Parameter problems: receives the problems of the manifest; those of the translations are in `findings`.
    init?(_ data: Data, _ translations: [String: Data], problems: inout [LintFinding]) {
        var data = data
        var replaced: Set<String> = []
        while true {
            do {
                manifest = try Manifest(propertyList: data)
                break
            } catch {
                problems.append(LintFinding(error, ManifestLint.manifestFile))
                guard let key = error.key, replaced.insert(key).inserted, var entries = Self.dictionary(data) else {
                    return nil
                }
                entries[key] = Self.substitutes[key]
                guard
                    let rest = try? PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
                else { return nil }
                data = rest
            }
        }
        invalid = replaced
        keys = Set(Self.dictionary(data)?.keys ?? [:].keys).subtracting(replaced)
        for (language, strings) in translations {
            do {
                let texts = try ManifestTexts(
                    strings: strings, purposeKeys: manifest.temporaryFullFidelityPurposes.keys)
                self.translations.append(Translation(language: language, texts: texts))
            } catch {
                findings.append(LintFinding(error, Translation.file(language)))
            }
        }
    }

    /// - Parameters:
    ///   - isBroken: whether the rule is broken.
    ///   - translation: that has the key; `nil`: the manifest has it.
    mutating func add(
        _ rule: LintRule, _ key: String?, if isBroken: Bool = true, _ message: @autoclosure () -> String,
        example: String? = nil, in translation: Translation? = nil
    ) {
        guard isBroken, translation != nil || !invalid.contains(key ?? "") else { return }
        findings.append(
            LintFinding(
                file: translation?.file ?? ManifestLint.manifestFile, rule: rule, key: key, message: message(),
                example: example))
    }

    /// Checks a text that explains why the client needs something, unless it is absent.
    mutating func check(
        _ text: String?, _ key: String, about resource: Resource? = nil, in translation: Translation? = nil
    ) {
        guard let text else { return }
        let lint = DescriptionLint(
            file: translation?.file ?? ManifestLint.manifestFile, key: key, resource: resource,
            language: translation?.language ?? manifest.developmentRegion)
        findings += lint.findings(text).filter { key != "VoiceGatePurpose" || $0.rule != .noBenefit }
    }

    /// Values for required keys that are invalid.
    private static let substitutes = [
        "CFBundleIdentifier": "unknown", "CFBundleExecutable": "/", "VoiceGateScript": "/",
    ]

    private static func dictionary(_ data: Data) -> [String: Any]? {
        try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
    }
}

/// Facts about a file that a manifest names as a program.
public struct ProgramFacts: Sendable, Hashable {
    public let isExecutable: Bool
    /// Any user who can write the file can impersonate the client.
    public let isWritableByAll: Bool
    /// What shows that it runs the code of others, as a sentence's end; `nil`: nothing.
    public let codeRunner: String?

    /// - Parameter isExecutable: whether it is a regular, executable file.
    public init(isExecutable: Bool, isWritableByAll: Bool, codeRunner: String? = nil) {
        (self.isExecutable, self.isWritableByAll, self.codeRunner) = (isExecutable, isWritableByAll, codeRunner)
    }
}
