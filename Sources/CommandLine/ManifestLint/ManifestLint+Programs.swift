import Authorization

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
