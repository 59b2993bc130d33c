import Authorization

/// The texts that the user reads: descriptions, purposes, names and translations.
extension LintSubject {
    mutating func checkTexts() {
        checkMissingDescriptions()
        for resource in Resource.allCases {
            check(manifest.usageDescriptions[resource], resource.usageDescriptionKey, about: resource)
            check(manifest.alwaysUsageDescriptions[resource], resource.alwaysUsageDescriptionKey, about: resource)
        }
        if keys.contains("VoiceGatePurpose") { check(manifest.practices.purpose, "VoiceGatePurpose") }
        for (purposeKey, text) in manifest.temporaryFullFidelityPurposes.sorted(by: { $0.key < $1.key }) {
            check(text, "\(Manifest.purposesKey).\(purposeKey)")
        }
        if let retention = manifest.practices.retention, let region = manifest.developmentRegion,
            TextLanguage(retention).contradicts(region)
        {
            add(.wrongLanguage, "VoiceGateRetention", DescriptionLint.wrongLanguage(region))
        }
        if manifest.developmentRegion == nil { checkUndeclaredLanguage() }
        checkHandling()
    }

    private mutating func checkMissingDescriptions() {
        let vocabulary = Vocabulary.of(manifest.developmentRegion.map(TextLanguage.primary)) ?? .english
        // A client that reads only files needs no microphone, and declares that by its data kinds.
        for resource in Resource.allCases
        where manifest.usageDescriptions[resource] == nil && !(resource == .microphone && isForFilesAlone) {
            let hint =
                resource == .microphone
                ? " If the program reads only files, declare VoiceGateDataKinds without liveAudio instead." : ""
            add(
                .missingKey, resource.usageDescriptionKey,
                "The key is missing, so the program cannot request \(resource.phrase). Add a sentence that says what it is used "
                    + "for.\(hint)",
                example: vocabulary.example(for: resource))
        }
    }

    /// Without a declared language the texts are compared with each other.
    private mutating func checkUndeclaredLanguage() {
        let texts =
            Resource.allCases.compactMap { resource in
                manifest.usageDescriptions[resource].map { (resource.usageDescriptionKey, $0) }
            } + (manifest.practices.retention.map { [("VoiceGateRetention", $0)] } ?? [])
        guard let first = texts.lazy.compactMap({ TextLanguage($0.1).code }).first else { return }
        if let other = texts.first(where: { TextLanguage($0.1).contradicts(first) }) {
            add(
                .wrongLanguage, other.0,
                "This text is in a different language from the other texts. Use one language, declare it as "
                    + "CFBundleDevelopmentRegion, and put translations into LANGUAGE.lproj folders.",
                example: (Vocabulary.of(first) ?? .english).purposeExample)
        } else if first != "en" {
            add(
                .undeclaredLanguage, "CFBundleDevelopmentRegion",
                "The key is missing, so the language is taken to be English, but the texts are in “\(first)”. Set it to "
                    + "\(first).")
        }
    }

    /// What happens to the audio; a declaration of recipients states that too.
    private mutating func checkHandling() {
        guard manifest.practices.recipients == nil, !manifest.usageDescriptions.isEmpty else { return }
        let isSaid = (Array(manifest.usageDescriptions.values) + [manifest.practices.purpose]).contains { text in
            let vocabulary = Vocabulary.of(TextLanguage(text).code) ?? .english
            return vocabulary.contains(vocabulary.handling, in: text)
        }
        guard !isSaid else { return }
        let resource: Resource = manifest.usageDescriptions[.microphone] == nil ? .speechRecognition : .microphone
        let code = manifest.usageDescriptions[resource].flatMap { TextLanguage($0).code }
        add(
            .noHandling, resource.usageDescriptionKey,
            "No text says what happens to the audio or where it is kept. Add that here, or declare VoiceGateRetention "
                + "and VoiceGateRecipients.",
            example: (Vocabulary.of(code) ?? .english).example(for: resource))
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

    /// All findings about the language and the length, and the most important one about the content.
    func findings(_ text: String) -> [LintFinding] {
        let detected = TextLanguage(text)
        let vocabulary = Vocabulary.of(detected.code) ?? (detected.script == .latin ? .english : nil)
        let wanted = language.map(TextLanguage.primary).flatMap { Vocabulary.of($0) } ?? vocabulary
        let example = (wanted ?? .english).example(for: resource)
        var problems: [(LintRule, String)] = []
        if let language, detected.contradicts(language) {
            problems.append((.wrongLanguage, Self.wrongLanguage(language)))
        }
        if let problem = content(text, vocabulary) { problems.append(problem) }
        if Script.columns(of: text) > 250 {
            problems.insert((.tooLong, "The text is longer than most users read. Shorten it to two sentences."), at: 0)
        }
        return problems.map {
            LintFinding(file: file, rule: $0, key: key, message: $1, example: $0 == .tooLong ? nil : example)
        }
    }

    static func wrongLanguage(_ language: String) -> String {
        "The text is not in the declared language (\(language)), so the user may not understand it. Write it in that "
            + "language, and put translations into LANGUAGE.lproj folders."
    }

    private func content(_ text: String, _ vocabulary: Vocabulary?) -> (LintRule, String)? {
        if Self.isPlaceholder(text) {
            return (.placeholder, "The text is a placeholder. Say what the audio is used for.")
        }
        guard let vocabulary else { return nil }
        if vocabulary.remainder(of: text, without: vocabulary.names).isEmpty {
            return (
                .onlyName, "The text only repeats what is requested. Say what it is used for and how the user benefits."
            )
        }
        if vocabulary.remainder(of: text, without: vocabulary.names + vocabulary.requests).count < 2 {
            return (
                .vague,
                "The text says that something is used, but not what for. Name the feature and how the user benefits."
            )
        }
        if resource != nil, vocabulary.contains(vocabulary.otherResources, in: text),
            !vocabulary.contains(vocabulary.voice, in: text)
        {
            return (
                .otherResource,
                "The text is about something else than sound and speech. Say what the program listens for."
            )
        }
        if vocabulary.contains(vocabulary.emptyPromises, in: text) {
            return (.emptyPromise, "The text could describe any program. Name the feature that needs it.")
        }
        if Script.columns(of: text) < Vocabulary.shortest {
            return (.tooShort, "The text is too short. Say what it is used for.")
        }
        if !vocabulary.contains(vocabulary.purposes, in: text) {
            return (.noBenefit, "The text does not say how the user benefits. Add what it is used for.")
        }
        return nil
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
