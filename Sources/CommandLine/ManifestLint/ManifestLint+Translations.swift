import Authorization
import Foundation

extension ManifestLint {
    func translationTexts(_ subject: LintSubject) -> [LintFinding] {
        subject.translations.flatMap { translation in
            findings(of: translation.texts, in: translation.file, language: translation.language, subject.manifest)
        }
    }

    private func findings(
        of texts: ManifestTexts, in file: String, language: String, _ manifest: Manifest
    ) -> [LintFinding] {
        guard language == "Base" || Language(tag: language) != nil else {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            return [
                LintFinding(
                    .unusedTranslation, file, nil,
                    "This translation is never shown, because VoiceGate supports only \(known).")
            ]
        }
        var findings: [LintFinding] = []
        let example = Vocabulary.of(TextLanguage.primary(language))
        for resource in Resource.allCases where manifest.usageDescriptions[resource] != nil {
            let key = resource.usageDescriptionKey
            if let text = texts.usageDescriptions[resource] {
                findings += DescriptionLint(file: file, key: key, resource: resource, language: language).findings(text)
            } else {
                findings.append(
                    LintFinding(
                        .missingTranslation, file, key,
                        "The key is not translated, so the prompt mixes languages. Add a translation.",
                        example: example?.example(for: resource)))
            }
        }
        for (key, text) in texts.temporaryFullFidelityPurposes.sorted(by: { $0.key < $1.key }) {
            findings += DescriptionLint(file: file, key: key, resource: nil, language: language).findings(text)
        }
        if let purpose = texts.purpose {
            findings += DescriptionLint(file: file, key: "VoiceGatePurpose", resource: nil, language: language)
                .findings(purpose).filter { $0.rule != .noBenefit }
        }
        let practices = manifest.practices
        let missing = [
            texts.purpose == nil && practices.purpose != Manifest.purpose(of: manifest.usageDescriptions)
                ? "VoiceGatePurpose" : nil,
            texts.retention == nil && practices.retention != nil ? "VoiceGateRetention" : nil,
        ]
        for key in missing.compactMap(\.self) {
            findings.append(
                LintFinding(
                    .missingTranslation, file, key,
                    "The key is not translated, so the prompt mixes languages. Add a translation.",
                    example: key == "VoiceGateRetention" ? example?.retentionExample : nil))
        }
        if let retention = texts.retention, manifest.practices.retention == nil {
            findings.append(
                LintFinding(
                    .retentionOfNothing, file, "VoiceGateRetention",
                    "“\(DisplayText.cleaned(retention, limit: 60))” is not shown, because Info.plist declares that nothing "
                        + "is kept. Declare VoiceGateRetention there, or remove this key."))
        }
        return findings
    }
}

/// A translation in a folder next to the manifest.
public struct Translation: Sendable, Hashable {
    /// The folder's name without `.lproj`.
    public let language: String
    public let data: Data

    public init(language: String, data: Data) {
        self.language = language
        self.data = data
    }

    var file: String { "\(language).lproj/InfoPlist.strings" }
}
