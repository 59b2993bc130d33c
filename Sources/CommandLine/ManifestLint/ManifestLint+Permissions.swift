import Authorization

/// Least permission, and nothing for always without a use in the background.
extension ManifestLint {
    func permissions(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        var findings: [LintFinding] = []
        func add(_ rule: LintRule, _ key: String, _ message: String, example: String? = nil) {
            findings.append(LintFinding(rule, Self.manifestFile, key, message, example: example))
        }
        let microphone = Resource.microphone.usageDescriptionKey
        let hasMicrophone = manifest.usageDescriptions[.microphone] != nil
        if hasMicrophone, subject.isForFilesAlone {
            add(
                .unneededMicrophone, microphone,
                "VoiceGateDataKinds declares no live audio, so the microphone is not needed. Take this description out, "
                    + "or declare liveAudio.")
        }
        let explains = explainsBackground(manifest)
        if manifest.allowsBackgroundAudio {
            if !hasMicrophone {
                add(
                    .unneededBackground, "UIBackgroundModes",
                    "Without the microphone nothing is heard in the background. Take audio out.")
            } else if !explains {
                add(
                    .unexplainedBackground, microphone,
                    "UIBackgroundModes declares audio, and no description says that it listens in the background, nor "
                        + "why. Say it, or take audio out.",
                    example: subject.vocabulary.backgroundExample)
            }
        }
        for mode in manifest.backgroundModes where mode != "audio" {
            add(
                .unknownBackgroundMode, "UIBackgroundModes",
                "“\(DisplayText.cleaned(mode, limit: 40))” has no effect here; only audio has.")
        }
        if !manifest.launchCommand.isEmpty, !explains {
            add(
                .unexplainedAlways, "VoiceGateLaunchCommand",
                "What a monitor starts needs a permission for always, and no description gives a reason to listen in the "
                    + "background. Give one, or take the command out: while using is enough for the rest.",
                example: subject.vocabulary.backgroundExample)
        }
        if !manifest.temporaryFullFidelityPurposes.isEmpty, manifest.phrases.isEmpty {
            add(
                .purposeWithoutPhrases, Manifest.purposesKey,
                "Without VoiceGatePhrases the client always has full fidelity, so these are never asked. Declare the "
                    + "phrases that are enough, or take the purposes out.")
        }
        if let phrase = manifest.contextPhrases.first(where: {
            $0.contains(where: \.isNumber) || !$0.contains(where: \.isLetter)
        }) {
            add(
                .unspokenContextPhrase, "VoiceGateContextPhrases",
                "“\(DisplayText.cleaned(phrase, limit: 40))” is not said as it is written, and what is not a word in it helps "
                    + "nothing. Write it in words, as it is spoken.")
        }
        return findings
    }

    private func explainsBackground(_ manifest: Manifest) -> Bool {
        (Array(manifest.usageDescriptions.values) + [manifest.practices.purpose]).contains { text in
            guard let vocabulary = Vocabulary.of(TextLanguage(text).code) else {
                return [Vocabulary.english, .japanese, .korean].contains { $0.contains($0.background, in: text) }
            }
            return vocabulary.contains(vocabulary.background, in: text)
        }
    }
}

extension LintSubject {
    /// The client declares its kinds, and hears nothing live.
    var isForFilesAlone: Bool {
        keys.contains("VoiceGateDataKinds") && Set(manifest.practices.kinds).isSubset(of: [.transcript])
    }

    /// The language of most of its texts, for examples.
    var vocabulary: Vocabulary {
        let texts = manifest.usageDescriptions.values.sorted().joined(separator: " ")
        let code = manifest.developmentRegion.map(TextLanguage.primary) ?? TextLanguage(texts).code
        return Vocabulary.of(code) ?? .english
    }
}

/// Kinds, purpose, retention, sharing.
extension ManifestLint {
    func dataItems(_ subject: LintSubject) -> [LintFinding] {
        let practices = subject.manifest.practices
        var findings: [LintFinding] = []
        func add(_ rule: LintRule, _ key: String, _ message: String, example: String? = nil) {
            findings.append(LintFinding(rule, Self.manifestFile, key, message, example: example))
        }
        if practices.recipients == nil {
            add(
                .undeclaredRecipients, "VoiceGateRecipients",
                "It is missing, so the prompt says that you do not say who else gets the data. Add an empty array when "
                    + "nobody does.")
        } else if practices.recipients?.contains(where: { $0.allSatisfy(\.isWhitespace) }) == true {
            add(.blankRecipient, "VoiceGateRecipients", "One recipient has no name. Name it, or take it out.")
        }
        let undeclared = practices.keptByService.inOrder.map(\.kind).filter { practices.kept[$0] == nil }
        if !undeclared.isEmpty {
            let names = undeclared.map(\.rawValue).joined(separator: " and ")
            add(
                .undeclaredKeeping, "VoiceGateKeptByService",
                "VoiceGate does not keep \(names): "
                    + (practices.retention == nil
                        ? "VoiceGateRetention is missing, so the prompt says that nothing is kept. Say how long it is."
                        : "it does not stand in VoiceGateDataKinds, so the person is not told that it is collected. Add it."),
                example: practices.retention == nil ? subject.vocabulary.retentionExample : nil)
        }
        let kept = practices.kinds.filter { $0 == .recording || $0 == .voiceProfile }.map(\.rawValue)
        guard let retention = practices.retention else {
            if !kept.isEmpty {
                add(
                    .undeclaredRetention, "VoiceGateRetention",
                    "\(kept.joined(separator: " and ")) cannot be made without being kept, and the prompt says that "
                        + "nothing is. Say how long it is kept.",
                    example: subject.vocabulary.retentionExample)
            }
            return findings
        }
        if practices.kinds == [.liveAudio] {
            add(
                .retentionOfNothing, "VoiceGateRetention",
                "Live audio alone is never kept. Add the kind that is kept to VoiceGateDataKinds, or take this out.")
        }
        let vocabulary = Vocabulary.of(TextLanguage(retention).code) ?? subject.vocabulary
        if vocabulary.contains(vocabulary.vagueRetentions, in: retention) {
            add(
                .vagueRetention, "VoiceGateRetention",
                "It names no time. Say how long, or what has to happen for it to be deleted.",
                example: vocabulary.retentionExample)
        }
        return findings
    }
}

/// The programs that a manifest names, as they are on this machine.
extension ManifestLint {
    func programs(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        var findings: [LintFinding] = []
        switch manifest.binding {
        case .flatpak, .snap:
            // The path is one inside of the sandbox.
            break
        case .executable, .unit(_, nil):
            findings += program(manifest.executablePath, "CFBundleExecutable", in: subject)
        case .script(let script), .unit(_, let script?):
            findings += program(manifest.executablePath, "CFBundleExecutable", in: subject)
            findings += program(script, "VoiceGateScript", in: subject, isScript: true)
        }
        if let command = manifest.launchCommand.first {
            findings += program(command, "VoiceGateLaunchCommand", in: subject)
        }
        return findings
    }

    private func program(
        _ path: String, _ key: String, in subject: LintSubject, isScript: Bool = false
    ) -> [LintFinding] {
        guard subject.keys.contains(key) else { return [] }
        let shown = DisplayText.cleaned(path, limit: 200)
        func finding(_ rule: LintRule, _ message: String) -> [LintFinding] {
            [LintFinding(rule, Self.manifestFile, key, message)]
        }
        guard let facts = program(path) else {
            return finding(
                .missingProgram, "There is no file \(shown). Install the program first, or correct the path.")
        }
        // A script is read by its interpreter and need not be executable.
        guard isScript || facts.isExecutable else {
            return finding(.notExecutable, "\(shown) is not a program that can be run. Name the program itself.")
        }
        guard !facts.isWritableByAll else {
            return finding(
                .writableProgram, "Everybody can write \(shown), and so become this client. Use chmod o-w.")
        }
        return []
    }
}
