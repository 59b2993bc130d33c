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

/// The rules about one text that a person reads in a prompt.
struct DescriptionLint {
    let file: String
    let key: String
    /// `nil` for a text that is not about one resource.
    let resource: Resource?
    /// A language tag: of the client, or of the translation's folder.
    let language: String?
    /// Characters that a prompt shows of it.
    var shownLength = 400

    /// Each text gets the most telling finding about what it says, and all about how it is written.
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
                    "It is not written in the language that is declared (\(language)), so the person may not be able to "
                        + "read it. Write it in that language, and put other languages into LANGUAGE.lproj folders.",
                    example))
        }
        if let said = content(text, vocabulary, example) { findings.append(said) }
        return findings
    }

    private func content(_ text: String, _ vocabulary: Vocabulary?, _ example: String) -> LintFinding? {
        if Self.isPlaceholder(text) {
            return finding(.placeholder, "It is a placeholder. Say what is done with what is heard.", example)
        }
        guard let vocabulary else { return nil }
        if vocabulary.remainder(of: text, without: vocabulary.names).isEmpty {
            return finding(
                .onlyName,
                "It only repeats what is asked for. Say for what it is used and what the person has from it.",
                example)
        }
        if vocabulary.remainder(of: text, without: vocabulary.names + vocabulary.requests).count < 2 {
            return finding(
                .vague,
                "It says that something is used, not for what. Name the feature and what the person has from it.",
                example)
        }
        if vocabulary.contains(vocabulary.emptyPromises, in: text) {
            return finding(
                .emptyPromise, "What it promises fits every program. Name the feature that needs it.", example)
        }
        if TextColumns.count(text) < vocabulary.shortest {
            return finding(.tooShort, "It is too short to explain anything. Say for what it is used.", example)
        }
        if !vocabulary.contains(vocabulary.purposes, in: text) {
            return finding(
                .noBenefit, "It does not say what the person has from it. Add for what it is used.", example)
        }
        return nil
    }

    private func writing(_ text: String) -> [LintFinding] {
        var findings: [LintFinding] = []
        if text.unicodeScalars.contains(where: Self.isHidden) {
            findings.append(
                finding(
                    .hiddenCharacters,
                    "It has characters that do not show or that turn the writing around. Take them out; a prompt does.")
            )
        }
        if text.count > shownLength {
            findings.append(finding(.cutOff, "It has \(text.count) characters, and a prompt shows \(shownLength)."))
        } else if TextColumns.count(text) > shownLength * 5 / 8 {
            findings.append(
                finding(.tooLong, "It is longer than a person reads before answering. Say it in two sentences."))
        }
        return findings
    }

    private func finding(_ rule: LintRule, _ message: String, _ example: String? = nil) -> LintFinding {
        LintFinding(rule, file, key, message, example: example)
    }

    /// Joiners are part of emoji and of some scripts.
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
