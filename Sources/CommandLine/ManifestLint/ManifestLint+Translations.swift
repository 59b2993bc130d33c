import Authorization
import Base

extension LintSubject {
    mutating func checkTranslations() {
        for translation in translations { check(translation) }
    }

    private mutating func check(_ translation: Translation) {
        let texts = translation.texts
        guard translation.language == "Base" || Language(tag: translation.language) != nil else {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            return add(
                .unusedTranslation, nil,
                "This translation is never shown, because VoiceGate supports only \(known).", in: translation)
        }
        let vocabulary = Vocabulary.of(TextLanguage.primary(translation.language))
        for resource in Resource.allCases where manifest.usageDescriptions[resource] != nil {
            let (key, text) = (resource.usageDescriptionKey, texts.usageDescriptions[resource])
            check(text, key, about: resource, in: translation)
            addMissing(key, if: text == nil, example: vocabulary?.example(for: resource), translation)
        }
        for resource in Resource.allCases where manifest.alwaysUsageDescriptions[resource] != nil {
            let (key, text) = (resource.alwaysUsageDescriptionKey, texts.alwaysUsageDescriptions[resource])
            check(text, key, about: resource, in: translation)
            addMissing(key, if: text == nil, example: vocabulary?.backgroundExample, translation)
        }
        for (key, text) in texts.temporaryFullFidelityPurposes.sorted(by: { $0.key < $1.key }) {
            check(text, key, in: translation)
        }
        check(texts.purpose, "VoiceGatePurpose", in: translation)
        let practices = manifest.practices
        let hasPurpose = practices.purpose != Manifest.purpose(of: manifest.usageDescriptions)
        addMissing("VoiceGatePurpose", if: texts.purpose == nil && hasPurpose, example: nil, translation)
        addMissing(
            "VoiceGateRetention", if: texts.retention == nil && practices.retention != nil,
            example: vocabulary?.retentionExample, translation)
        if let retention = texts.retention, practices.retention == nil {
            add(
                .retentionOfNothing, "VoiceGateRetention",
                "“\(DisplayText.cleaned(retention, limit: 60))” is not shown, because Info.plist declares that nothing "
                    + "is kept. Declare VoiceGateRetention there, or remove this key.",
                in: translation)
        }
    }

    private mutating func addMissing(
        _ key: String, if isMissing: Bool, example: String?, _ translation: Translation
    ) {
        add(
            .missingTranslation, key, if: isMissing,
            "The key is not translated, so the prompt mixes languages. Add a translation.", example: example,
            in: translation)
    }
}

/// A translation in a folder next to the manifest.
struct Translation {
    /// The folder's name without `.lproj`.
    let language: String
    let texts: ManifestTexts

    var file: String { Self.file(language) }

    static func file(_ language: String) -> String { "\(language).lproj/InfoPlist.strings" }
}
