import Authorization
import Base

/// Least privilege: a manifest requests only what it uses.
extension LintSubject {
    mutating func checkPermissions() {
        let microphone = Resource.microphone.usageDescriptionKey
        let hasMicrophone = manifest.usageDescriptions[.microphone] != nil
        add(
            .unneededMicrophone, microphone, if: hasMicrophone && isForFilesAlone,
            "The microphone is not needed, because VoiceGateDataKinds does not declare liveAudio. Remove this "
                + "description, or declare liveAudio.")
        add(
            .unexplainedBackground, hasMicrophone ? microphone : Resource.speechRecognition.usageDescriptionKey,
            if: manifest.allowsBackgroundAudio && !explainsBackground,
            "UIBackgroundModes declares audio, but no description explains why the program listens in the "
                + "background. Explain it, or remove audio.", example: vocabulary.backgroundExample)
        checkAlways()
        for mode in manifest.backgroundModes where BackgroundMode(rawValue: mode) == nil {
            add(
                .unknownBackgroundMode, "UIBackgroundModes",
                "“\(DisplayText.cleaned(mode, limit: 40))” has no effect in VoiceGate; only audio and locked do.")
        }
        add(
            .unexplainedAlways, "VoiceGateLaunchCommand", if: !manifest.launchCommand.isEmpty && !explainsBackground,
            "A program that a monitor starts requires the permission “always”, but no description explains why it "
                + "listens in the background. Explain it, or remove the command: “while using” is enough without it.",
            example: vocabulary.backgroundExample)
        add(
            .purposeWithoutPhrases, Manifest.purposesKey,
            if: !manifest.temporaryFullFidelityPurposes.isEmpty && manifest.phrases.isEmpty,
            "These purposes are never requested, because a client without VoiceGatePhrases always has full fidelity. "
                + "Declare the phrases that are sufficient, or remove the purposes.")
        if let phrase = manifest.contextPhrases.first(where: {
            $0.contains(where: \.isNumber) || !$0.contains(where: \.isLetter)
        }) {
            add(
                .unspokenContextPhrase, "VoiceGateContextPhrases",
                "“\(DisplayText.cleaned(phrase, limit: 40))” contains digits or symbols, which recognition ignores. Write it in "
                    + "words, as it is spoken.")
        }
    }

    /// Always is for what happens in the background; its question shows its own text.
    private mutating func checkAlways() {
        for resource in Resource.allCases where manifest.usageDescriptions[resource] != nil {
            let (key, text) = (resource.alwaysUsageDescriptionKey, manifest.alwaysUsageDescriptions[resource])
            add(
                .missingAlwaysText, key, if: manifest.declaresBackground && text == nil,
                "The question whether to allow always has no separate text. Say why the program listens while it "
                    + "is not used.", example: vocabulary.backgroundExample)
            add(
                .unneededAlways, key, if: !manifest.declaresBackground && text != nil,
                "Always is never allowed without audio in UIBackgroundModes or a VoiceGateLaunchCommand. Remove this "
                    + "text, or declare one of them.")
        }
    }

    private var explainsBackground: Bool {
        let descriptions = Array(manifest.usageDescriptions.values) + Array(manifest.alwaysUsageDescriptions.values)
        return (descriptions + [manifest.practices.purpose]).contains { text in
            let vocabularies = Vocabulary.of(TextLanguage(text).code).map { [$0] } ?? Array(Vocabulary.all.values)
            return vocabularies.contains { $0.contains($0.background, in: text) }
        }
    }

    /// Whether the client declares its data kinds, without live audio.
    var isForFilesAlone: Bool {
        keys.contains("VoiceGateDataKinds") && Set(manifest.practices.kinds).isSubset(of: [.transcript])
    }

    /// The vocabulary of the development region, or of the language of the texts; for examples.
    private var vocabulary: Vocabulary {
        let texts = manifest.usageDescriptions.values.sorted().joined(separator: " ")
        let code = manifest.developmentRegion.map(TextLanguage.primary) ?? TextLanguage(texts).code
        return Vocabulary.of(code) ?? .english
    }
}

/// Kinds, purpose, retention, sharing.
extension LintSubject {
    mutating func checkDataItems() {
        let practices = manifest.practices
        add(
            .undeclaredRecipients, "VoiceGateRecipients", if: practices.recipients == nil,
            "The key is missing, so the prompt says that the program does not declare who else receives the data. Add "
                + "an empty array if no one does.")
        add(
            .blankRecipient, "VoiceGateRecipients",
            if: practices.recipients?.contains { $0.allSatisfy(\.isWhitespace) } == true,
            "A recipient has an empty name. Add a name, or remove the entry.")
        let undeclared = practices.keptByService.inOrder.map(\.kind).filter { practices.kept[$0] == nil }
        add(
            .undeclaredKeeping, "VoiceGateKeptByService", if: !undeclared.isEmpty,
            "VoiceGate will not keep \(undeclared.map(\.rawValue).joined(separator: " and ")): "
                + (practices.retention == nil
                    ? "VoiceGateRetention is missing, so the prompt says that nothing is kept. Declare how long it is kept."
                    : "it is not in VoiceGateDataKinds, so the prompt does not say that it is collected. Add it."),
            example: practices.retention == nil ? vocabulary.retentionExample : nil)
        let kept = practices.kinds.filter { $0 == .recording || $0 == .microphoneProfile }.map(\.rawValue)
        guard let retention = practices.retention else {
            return add(
                .undeclaredRetention, "VoiceGateRetention", if: !kept.isEmpty,
                "\(kept.joined(separator: " and ")) is always kept, but the prompt says that nothing is kept. "
                    + "Declare how long it is kept.", example: vocabulary.retentionExample)
        }
        add(
            .retentionOfNothing, "VoiceGateRetention", if: practices.kinds == [.liveAudio],
            "Live audio alone is never kept. Add the kind that is kept to VoiceGateDataKinds, or remove this key.")
        let words = Vocabulary.of(TextLanguage(retention).code) ?? vocabulary
        add(
            .vagueRetention, "VoiceGateRetention", if: words.contains(words.vagueRetentions, in: retention),
            "The text does not say how long. Give a duration, or the event that leads to deletion.",
            example: words.retentionExample)
    }
}

/// The files of the programs that a manifest names.
extension LintSubject {
    /// - Parameter facts: about the file at an absolute path; `nil` if there is no such file.
    mutating func checkPrograms(_ facts: (String) -> ProgramFacts?) {
        switch manifest.binding {
        case .flatpak, .snap:
            // The path is inside the sandbox.
            break
        case .executable, .unit(_, nil):
            check(program: manifest.executablePath, "CFBundleExecutable", facts)
            guard keys.contains("CFBundleExecutable"), let reason = facts(manifest.executablePath)?.codeRunner else {
                break
            }
            let shown = DisplayText.cleaned(manifest.executablePath, limit: 200)
            add(
                .codeRunner, "CFBundleExecutable",
                "\(shown) runs the code of others (\(DisplayText.cleaned(reason, limit: 200))), so it cannot be a client. Describe "
                    + "a script with VoiceGateScript.")
        case .script(let script), .unit(_, let script?):
            check(program: manifest.executablePath, "CFBundleExecutable", facts)
            check(program: script, "VoiceGateScript", facts)
        }
        if let command = manifest.launchCommand.first { check(program: command, "VoiceGateLaunchCommand", facts) }
    }

    private mutating func check(program path: String, _ key: String, _ facts: (String) -> ProgramFacts?) {
        guard keys.contains(key) else { return }
        let shown = DisplayText.cleaned(path, limit: 200)
        guard let facts = facts(path) else {
            return add(.missingProgram, key, "No such file: \(shown). Install the program, or correct the path.")
        }
        // A script is read by its interpreter and need not be executable.
        guard key == "VoiceGateScript" || facts.isExecutable else {
            return add(.notExecutable, key, "\(shown) is not executable. Give the path of the program itself.")
        }
        add(
            .writableProgram, key, if: facts.isWritableByAll,
            "\(shown) is writable by all users, so anybody can impersonate this client. Run chmod o-w.")
    }
}
