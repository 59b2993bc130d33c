import Authorization

/// The programs that a manifest names, as they are on this machine.
extension ManifestLint {
    func programs(_ subject: LintSubject) -> [LintFinding] {
        var findings: [LintFinding] = []
        if subject.keys.contains("CFBundleExecutable") {
            findings += program(subject.manifest.executablePath, "CFBundleExecutable")
            if Self.isInterpreter(subject.manifest.executablePath) {
                findings.append(
                    LintFinding(
                        .interpreter, Self.manifestFile, "CFBundleExecutable",
                        "This is an interpreter, so a yes would be one for every script it runs. Name a program of your "
                            + "own."))
            }
        }
        if let command = subject.manifest.launchCommand.first {
            findings += program(command, "VoiceGateLaunchCommand")
        }
        return findings
    }

    private func program(_ path: String, _ key: String) -> [LintFinding] {
        let shown = DisplayText.cleaned(path, limit: 200)
        func finding(_ rule: LintRule, _ message: String) -> [LintFinding] {
            [LintFinding(rule, Self.manifestFile, key, message)]
        }
        guard let facts = program(path) else {
            return finding(.missingProgram, "There is no file \(shown). Install the program first, or correct the path.")
        }
        guard facts.isExecutable else {
            return finding(.notExecutable, "\(shown) is not a program that can be run. Name the program itself.")
        }
        guard !facts.isWritableByAll else {
            return finding(
                .writableProgram,
                "Everybody can write \(shown), and so become this client. Use chmod o-w.")
        }
        return []
    }

    private static func isInterpreter(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let bare = name.prefix { !$0.isNumber && $0 != "." && $0 != "-" }
        return ["python", "perl", "ruby", "node", "sh", "bash", "dash", "zsh", "fish", "php", "lua", "java", "env"]
            .contains(String(bare))
    }
}
