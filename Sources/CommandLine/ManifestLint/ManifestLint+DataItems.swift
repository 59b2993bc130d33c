import Authorization

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
