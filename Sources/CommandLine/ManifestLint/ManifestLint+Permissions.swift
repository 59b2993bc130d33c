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
