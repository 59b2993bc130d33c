import Authorization

/// Findings about keys of Info.plist.
private struct Findings {
    private(set) var all: [LintFinding] = []

    mutating func add(_ rule: LintRule, _ key: String, _ message: String, example: String? = nil) {
        all.append(LintFinding(rule, ManifestLint.manifestFile, key, message, example: example))
    }
}

/// Least privilege: a manifest requests only what it uses.
extension ManifestLint {
    func permissions(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        var findings = Findings()
        let microphone = Resource.microphone.usageDescriptionKey
        let hasMicrophone = manifest.usageDescriptions[.microphone] != nil
        if hasMicrophone, subject.isForFilesAlone {
            findings.add(
                .unneededMicrophone, microphone,
                "The microphone is not needed, because VoiceGateDataKinds does not declare liveAudio. Remove this "
                    + "description, or declare liveAudio.")
        }
        let explains = explainsBackground(manifest)
        if manifest.allowsBackgroundAudio {
            if !hasMicrophone {
                findings.add(
                    .unneededBackground, "UIBackgroundModes",
                    "audio has no effect without a microphone description. Remove audio.")
            } else if !explains {
                findings.add(
                    .unexplainedBackground, microphone,
                    "UIBackgroundModes declares audio, but no description explains why the program listens in the "
                        + "background. Explain it, or remove audio.",
                    example: subject.vocabulary.backgroundExample)
            }
        }
        for mode in manifest.backgroundModes where mode != "audio" {
            findings.add(
                .unknownBackgroundMode, "UIBackgroundModes",
                "“\(DisplayText.cleaned(mode, limit: 40))” has no effect in VoiceGate; only audio does.")
        }
        if !manifest.launchCommand.isEmpty, !explains {
            findings.add(
                .unexplainedAlways, "VoiceGateLaunchCommand",
                "A program that a monitor starts requires the permission “always”, but no description explains why it "
                    + "listens in the background. Explain it, or remove the command: “while using” is enough without it.",
                example: subject.vocabulary.backgroundExample)
        }
        if !manifest.temporaryFullFidelityPurposes.isEmpty, manifest.phrases.isEmpty {
            findings.add(
                .purposeWithoutPhrases, Manifest.purposesKey,
                "These purposes are never requested, because a client without VoiceGatePhrases always has full fidelity. "
                    + "Declare the phrases that are sufficient, or remove the purposes.")
        }
        if let phrase = manifest.contextPhrases.first(where: {
            $0.contains(where: \.isNumber) || !$0.contains(where: \.isLetter)
        }) {
            findings.add(
                .unspokenContextPhrase, "VoiceGateContextPhrases",
                "“\(DisplayText.cleaned(phrase, limit: 40))” contains digits or symbols, which recognition ignores. Write it in "
                    + "words, as it is spoken.")
        }
        return findings.all
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
    /// Whether the client declares its data kinds, without live audio.
    var isForFilesAlone: Bool {
        keys.contains("VoiceGateDataKinds") && Set(manifest.practices.kinds).isSubset(of: [.transcript])
    }

    /// The vocabulary of the development region, or of the language of the texts; for examples.
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
        var findings = Findings()
        if practices.recipients == nil {
            findings.add(
                .undeclaredRecipients, "VoiceGateRecipients",
                "The key is missing, so the prompt says that the program does not declare who else receives the data. Add "
                    + "an empty array if no one does.")
        } else if practices.recipients?.contains(where: { $0.allSatisfy(\.isWhitespace) }) == true {
            findings.add(
                .blankRecipient, "VoiceGateRecipients",
                "A recipient has an empty name. Add a name, or remove the entry.")
        }
        let undeclared = practices.keptByService.inOrder.map(\.kind).filter { practices.kept[$0] == nil }
        if !undeclared.isEmpty {
            let names = undeclared.map(\.rawValue).joined(separator: " and ")
            findings.add(
                .undeclaredKeeping, "VoiceGateKeptByService",
                "VoiceGate will not keep \(names): "
                    + (practices.retention == nil
                        ? "VoiceGateRetention is missing, so the prompt says that nothing is kept. Declare how long it is kept."
                        : "it is not in VoiceGateDataKinds, so the prompt does not say that it is collected. Add it."),
                example: practices.retention == nil ? subject.vocabulary.retentionExample : nil)
        }
        let kept = practices.kinds.filter { $0 == .recording || $0 == .voiceProfile }.map(\.rawValue)
        guard let retention = practices.retention else {
            if !kept.isEmpty {
                findings.add(
                    .undeclaredRetention, "VoiceGateRetention",
                    "\(kept.joined(separator: " and ")) is always kept, but the prompt says that nothing is kept. "
                        + "Declare how long it is kept.",
                    example: subject.vocabulary.retentionExample)
            }
            return findings.all
        }
        if practices.kinds == [.liveAudio] {
            findings.add(
                .retentionOfNothing, "VoiceGateRetention",
                "Live audio alone is never kept. Add the kind that is kept to VoiceGateDataKinds, or remove this key.")
        }
        let vocabulary = Vocabulary.of(TextLanguage(retention).code) ?? subject.vocabulary
        if vocabulary.contains(vocabulary.vagueRetentions, in: retention) {
            findings.add(
                .vagueRetention, "VoiceGateRetention",
                "The text does not say how long. Give a duration, or the event that leads to deletion.",
                example: vocabulary.retentionExample)
        }
        return findings.all
    }
}

/// The files of the programs that a manifest names.
extension ManifestLint {
    func programs(_ subject: LintSubject) -> [LintFinding] {
        let manifest = subject.manifest
        var findings: [LintFinding] = []
        switch manifest.binding {
        case .flatpak, .snap:
            // The path is inside the sandbox.
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
                .missingProgram, "No such file: \(shown). Install the program, or correct the path.")
        }
        // A script is read by its interpreter and need not be executable.
        guard isScript || facts.isExecutable else {
            return finding(.notExecutable, "\(shown) is not executable. Give the path of the program itself.")
        }
        guard !facts.isWritableByAll else {
            return finding(
                .writableProgram,
                "\(shown) is writable by all users, so anybody can impersonate this client. Run chmod o-w.")
        }
        return []
    }
}
