import Authorization

/// What the person reads: descriptions, purposes, names, and their translations.
extension ManifestLint {
    func texts(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        let region = manifest.developmentRegion
        var findings = missingDescriptions(subject)
        for resource in Resource.allCases {
            guard let text = manifest.usageDescriptions[resource] else { continue }
            findings += DescriptionLint(
                file: Self.manifestFile, key: resource.usageDescriptionKey, resource: resource, language: region
            ).findings(text)
        }
        if subject.keys.contains("VoiceGatePurpose") {
            findings += DescriptionLint(
                file: Self.manifestFile, key: "VoiceGatePurpose", resource: nil, language: region
            ).findings(manifest.practices.purpose).filter { $0.rule != .noBenefit }
        }
        for (purposeKey, text) in manifest.temporaryFullFidelityPurposes.sorted(by: { $0.key < $1.key }) {
            findings += DescriptionLint(
                file: Self.manifestFile, key: "\(Manifest.purposesKey).\(purposeKey)", resource: nil, language: region
            ).findings(text)
        }
        return findings + shortTexts(subject) + undeclaredLanguage(subject) + handling(subject)
    }

    private func missingDescriptions(_ subject: LintSubject) -> [LintFinding] {
        let (manifest, region) = (subject.manifest, subject.manifest.developmentRegion)
        let vocabulary = Vocabulary.of(region.map(TextLanguage.primary)) ?? .english
        return Resource.allCases.compactMap { resource in
            guard manifest.usageDescriptions[resource] == nil else { return nil }
            let key = resource.usageDescriptionKey
            // A client of files alone needs no microphone and says so by its kinds.
            if resource == .microphone, subject.isForFilesAlone { return nil }
            let way =
                resource == .microphone
                ? " Or, where only files are read, declare VoiceGateDataKinds without liveAudio." : ""
            return LintFinding(
                .missingKey, Self.manifestFile, key,
                "It is missing, so \(resource.phrase) cannot be asked for. Add a sentence on what is done with it.\(way)",
                example: vocabulary.example(for: resource))
        }
    }

    /// Texts of which only the writing is looked at.
    private func shortTexts(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        let region = manifest.developmentRegion
        func written(_ key: String, _ text: String, _ limit: Int, _ language: String?) -> [LintFinding] {
            let lint = DescriptionLint(
                file: Self.manifestFile, key: key, resource: nil, language: language, shownLength: limit)
            return lint.findings(text).filter {
                [.hiddenCharacters, .cutOff].contains($0.rule) || (language != nil && $0.rule == .wrongLanguage)
            }
        }
        // A name may be in any language.
        let nameKey = subject.keys.contains("CFBundleDisplayName") ? "CFBundleDisplayName" : "CFBundleName"
        var findings = written(nameKey, manifest.name, 60, nil)
        if let retention = manifest.practices.retention {
            findings += written("VoiceGateRetention", retention, 200, region)
        }
        for recipient in manifest.practices.recipients ?? [] {
            findings += written("VoiceGateRecipients", recipient, 100, nil)
        }
        return findings
    }

    /// Without a declared language the texts can only be held against each other.
    private func undeclaredLanguage(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        guard manifest.developmentRegion == nil else { return [] }
        let texts =
            Resource.allCases.compactMap { resource in
                manifest.usageDescriptions[resource].map { (resource.usageDescriptionKey, $0) }
            } + (manifest.practices.retention.map { [("VoiceGateRetention", $0)] } ?? [])
        let languages = texts.compactMap { TextLanguage($0.1).code }
        guard let first = languages.first else { return [] }
        if let other = texts.first(where: { TextLanguage($0.1).contradicts(first) }) {
            return [
                LintFinding(
                    .wrongLanguage, Self.manifestFile, other.0,
                    "It is written in another language than the other texts. Use one, declare it as "
                        + "CFBundleDevelopmentRegion, and put others into LANGUAGE.lproj folders.",
                    example: (Vocabulary.of(first) ?? .english).purposeExample)
            ]
        }
        guard first != "en" else { return [] }
        return [
            LintFinding(
                .undeclaredLanguage, Self.manifestFile, "CFBundleDevelopmentRegion",
                "It is missing, which means English, and the texts are written in “\(first)”. Set it to \(first).")
        ]
    }

    /// The items of a complete declaration say it too.
    private func handling(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        guard manifest.practices.recipients == nil, !manifest.usageDescriptions.isEmpty else { return [] }
        let texts = Array(manifest.usageDescriptions.values) + [manifest.practices.purpose]
        let isSaid = texts.contains { text in
            let vocabulary = Vocabulary.of(TextLanguage(text).code) ?? .english
            return vocabulary.contains(vocabulary.handling, in: text)
        }
        guard !isSaid else { return [] }
        let resource: Resource = manifest.usageDescriptions[.microphone] == nil ? .speechRecognition : .microphone
        let code = manifest.usageDescriptions[resource].flatMap { TextLanguage($0).code }
        return [
            LintFinding(
                .noHandling, Self.manifestFile, resource.usageDescriptionKey,
                "Nothing says what happens to the audio and where it is kept. Say it here, or declare it by "
                    + "VoiceGateRetention and VoiceGateRecipients.",
                example: (Vocabulary.of(code) ?? .english).example(for: resource))
        ]
    }
}
