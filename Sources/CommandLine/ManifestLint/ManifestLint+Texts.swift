import Authorization

/// The texts that the user reads: descriptions, purposes, names and translations.
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
            // A client that reads only files needs no microphone, and declares that by its data kinds.
            if resource == .microphone, subject.isForFilesAlone { return nil }
            let hint =
                resource == .microphone
                ? " If the program reads only files, declare VoiceGateDataKinds without liveAudio instead." : ""
            return LintFinding(
                .missingKey, Self.manifestFile, key,
                "The key is missing, so the program cannot request \(resource.phrase). Add a sentence that says what it is used "
                    + "for.\(hint)",
                example: vocabulary.example(for: resource))
        }
    }

    /// Texts that are checked for their characters, length and language only.
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

    /// Without a declared language the texts are compared with each other.
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
                    "This text is in a different language from the other texts. Use one language, declare it as "
                        + "CFBundleDevelopmentRegion, and put translations into LANGUAGE.lproj folders.",
                    example: (Vocabulary.of(first) ?? .english).purposeExample)
            ]
        }
        guard first != "en" else { return [] }
        return [
            LintFinding(
                .undeclaredLanguage, Self.manifestFile, "CFBundleDevelopmentRegion",
                "The key is missing, so the language is taken to be English, but the texts are in “\(first)”. Set it to "
                    + "\(first).")
        ]
    }

    /// What happens to the audio; a declaration of recipients states that too.
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
                "No text says what happens to the audio or where it is kept. Add that here, or declare VoiceGateRetention "
                    + "and VoiceGateRecipients.",
                example: (Vocabulary.of(code) ?? .english).example(for: resource))
        ]
    }
}

/// The rules for one text that a prompt shows.
struct DescriptionLint {
    let file: String
    let key: String
    /// `nil` for a text that is not about one resource.
    let resource: Resource?
    /// The language tag of the client, or of the translation's folder.
    let language: String?
    /// The number of characters that a prompt shows.
    var shownLength = 400

    /// All findings about the characters, and the most important one about the content.
    func findings(_ text: String) -> [LintFinding] {
        let written = writing(text)
        let detected = TextLanguage(text)
        let vocabulary = Vocabulary.of(detected.code) ?? (detected.script == .latin ? .english : nil)
        let wanted = language.map(TextLanguage.primary).flatMap { Vocabulary.of($0) } ?? vocabulary
        let example = (wanted ?? .english).example(for: resource)
        var findings = written
        if let language, detected.contradicts(language) {
            findings.append(
                finding(
                    .wrongLanguage,
                    "The text is not in the declared language (\(language)), so the user may not understand it. Write it in "
                        + "that language, and put translations into LANGUAGE.lproj folders.",
                    example))
        }
        if let said = content(text, vocabulary, example) { findings.append(said) }
        return findings
    }

    private func content(_ text: String, _ vocabulary: Vocabulary?, _ example: String) -> LintFinding? {
        if Self.isPlaceholder(text) {
            return finding(.placeholder, "The text is a placeholder. Say what the audio is used for.", example)
        }
        guard let vocabulary else { return nil }
        if vocabulary.remainder(of: text, without: vocabulary.names).isEmpty {
            return finding(
                .onlyName,
                "The text only repeats what is requested. Say what it is used for and how the user benefits.",
                example)
        }
        if vocabulary.remainder(of: text, without: vocabulary.names + vocabulary.requests).count < 2 {
            return finding(
                .vague,
                "The text says that something is used, but not what for. Name the feature and how the user benefits.",
                example)
        }
        if vocabulary.contains(vocabulary.emptyPromises, in: text) {
            return finding(
                .emptyPromise, "The text could describe any program. Name the feature that needs it.", example)
        }
        if TextColumns.count(text) < vocabulary.shortest {
            return finding(.tooShort, "The text is too short. Say what it is used for.", example)
        }
        if !vocabulary.contains(vocabulary.purposes, in: text) {
            return finding(
                .noBenefit, "The text does not say how the user benefits. Add what it is used for.", example)
        }
        return nil
    }

    private func writing(_ text: String) -> [LintFinding] {
        var findings: [LintFinding] = []
        if text.unicodeScalars.contains(where: Self.isHidden) {
            findings.append(
                finding(
                    .hiddenCharacters,
                    "The text contains invisible characters or characters that change its direction. Remove them; prompts "
                        + "do not show them.")
            )
        }
        if text.count > shownLength {
            findings.append(
                finding(.cutOff, "The text has \(text.count) characters; a prompt shows only \(shownLength)."))
        } else if TextColumns.count(text) > shownLength * 5 / 8 {
            findings.append(
                finding(.tooLong, "The text is longer than most users read. Shorten it to two sentences."))
        }
        return findings
    }

    private func finding(_ rule: LintRule, _ message: String, _ example: String? = nil) -> LintFinding {
        LintFinding(rule, file, key, message, example: example)
    }

    /// Joiners are allowed: emoji and some scripts need them.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n" && scalar != "\t"
        case .format: scalar.value != 0x200D && scalar.value != 0x200C
        case .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func isPlaceholder(_ text: String) -> Bool {
        let text = text.lowercased()
        let bare = text.filter { $0.isLetter || $0.isNumber }
        return wholePlaceholders.contains(bare) || placeholders.contains { text.contains($0) }
    }

    private static let wholePlaceholders: Set<String> = [
        "", "description", "usagedescription", "reason", "test", "tbd", "none", "na", "string", "text", "テスト", "説明",
        "説明文", "理由", "権限内容", "권한내용", "설명", "테스트", "이유", "내용", "사용이유",
    ]
    private static let placeholders = [
        "lorem ipsum", "todo", "fixme", "xxx", "usage description", "your description", "description here",
        "description goes here", "reason here", "placeholder", "insert text", "$(", "${", "<#", "ここに説明", "説明を入力",
        "説明文を", "여기에", "설명을 입력", "privacy -",
    ]
}
