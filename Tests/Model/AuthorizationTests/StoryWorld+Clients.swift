import TestSupport

@testable import Authorization

/// The clients of stories.
extension StoryWorld {
    /// By its name; without a declaration it is the client `org.example.NAME`.
    func requester(_ name: String) -> Requester {
        if let requester = clients[name] { return requester }
        return name == "editor" ? Samples.requester() : Samples.requester("org.example.\(name)")
    }

    func requester(_ words: Words) -> Requester { requester(words.values["by"] ?? "editor") }

    /// client NAME from=NAME id=org.example.Editor user=1000 process=100 sha256=aa path=… language=… untrusted=…
    /// managed|background|undescribed|undeclared|unregistered|script|code, and of its manifest, with "_" for a space:
    /// phrases=… modes=… recipients=… launch=… kinds=… purpose=… retention=… kept=transcript:P30D,recording
    /// describing=… always=… japanese=…
    func declare(_ words: Words) {
        let words = words.inheriting(words.values["from"].flatMap { declarations[$0] })
        declarations[words.plain[0]] = words
        let values = words.values
        let kept = words.list("kept").compactMap { item -> (DataKind, KeepingTime)? in
            let parts = item.split(separator: ":").map(String.init)
            return DataKind(rawValue: parts[0]).map { ($0, parts.count > 1 ? KeepingTime(parts[1]) : .untilWithdrawn) }
                .flatMap { kind, time in time.map { (kind, $0) } }
        }
        let sample = Samples.requester(
            values["id"] ?? "org.example.Editor", user: values["user"].flatMap(UInt32.init) ?? 1000,
            process: values["process"].flatMap(Int32.init) ?? 100, sha256: values["sha256"] ?? "aa",
            describing: words.has("undescribed") ? [] : Resource.allCases,
            presence: words.has("background") ? .background : .foreground, phrases: words.list("phrases"),
            backgroundModes: words.list("modes"), kept: Dictionary(kept) { _, last in last },
            recipients: values["recipients"] == "undeclared" ? nil : words.list("recipients"),
            launchCommand: words.list("launch"), permitsAlways: !words.has("undeclared"))
        let caller = sample.caller
        let program = Executable(
            path: values["path"] ?? caller.executable.path, device: 1, inode: 2, sha256: caller.executable.sha256,
            isPackageManaged: words.has("managed"))
        clients[words.plain[0]] = Requester(
            caller: Caller(
                process: caller.process, user: caller.user, executable: program,
                evidence: words.text("untrusted").map(Evidence.untrusted)
                    ?? (words.has("code") ? .interpreter : caller.evidence)),
            client: client(program, sample.client, words),
            presence: sample.presence, language: values["language"].flatMap { Language(rawValue: $0) } ?? .english)
    }

    private func client(_ program: Executable, _ sample: Client, _ words: Words) -> Client {
        if words.has("unregistered") { return Client(unregistered: program) }
        if words.has("script") { return Client(unregistered: program, using: Samples.manifest()) }
        return words.has("code") ? Client(codeIn: program) : Self.client(sample, declaring: words)
    }

    private static func client(_ sample: Client, declaring words: Words) -> Client {
        guard var manifest = sample.manifest else { return sample }
        let kinds = words.list("kinds").compactMap(DataKind.init)
        if !kinds.isEmpty { manifest.practices.kinds = kinds }
        if let purpose = words.text("purpose") { manifest.practices.purpose = purpose }
        if let retention = words.text("retention") {
            manifest.practices.retention = retention == "none" ? nil : retention
        }
        if let text = words.text("describing"), !words.has("undescribed") {
            manifest.usageDescriptions[.microphone] = text
        }
        if let text = words.text("always") { manifest.alwaysUsageDescriptions[.microphone] = text }
        if let text = words.text("japanese") { manifest.localizations[.japanese] = ManifestTexts(purpose: text) }
        return Client(manifest: manifest)
    }
}
