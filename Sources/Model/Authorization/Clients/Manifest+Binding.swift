extension Manifest {
    /// Reads what the manifest is bound to; the keys are listed at `init(propertyList:path:)`.
    static func binding(_ entries: ManifestEntries, executable: String) throws(ManifestError) -> Binding {
        let script = try path(entries, "VoiceGateScript")
        let sandboxes = ["VoiceGateFlatpakID", "VoiceGateSnap", "VoiceGateSystemdUnit"]
        var names: [String: String] = [:]
        for key in sandboxes { names[key] = try entries.string(key) }
        guard names.count <= 1 else {
            throw entries.invalid(sandboxes[1], "cannot stand beside \(sandboxes[0]) or \(sandboxes[2])")
        }
        if let name = names["VoiceGateFlatpakID"] {
            return .flatpak(try sandboxed(entries, "VoiceGateFlatpakID", name, script))
        }
        if let name = names["VoiceGateSnap"] { return .snap(try sandboxed(entries, "VoiceGateSnap", name, script)) }
        let isInterpreter = Interpreter(program: executable) != nil
        if let text = names["VoiceGateSystemdUnit"] {
            guard let unit = SystemdUnit(text) else {
                throw entries.invalid("VoiceGateSystemdUnit", "must be NAME.service or user/NAME.service")
            }
            if isInterpreter, script == nil, unit.manager == .user { throw missingScript(entries, executable) }
            return .unit(unit, script: script)
        }
        if let script { return .script(script) }
        if isInterpreter { throw missingScript(entries, executable) }
        return .executable
    }

    private static func path(_ entries: ManifestEntries, _ key: String) throws(ManifestError) -> String? {
        guard let path = try entries.string(key) else { return nil }
        guard path.hasPrefix("/"), !path.contains("\0") else { throw entries.invalid(key, "must be an absolute path") }
        return path
    }

    private static func sandboxed(
        _ entries: ManifestEntries, _ key: String, _ name: String, _ script: String?
    ) throws(ManifestError) -> String {
        guard SandboxName.isValid(name) else { throw entries.invalid(key, "is not such a name") }
        guard script == nil else {
            throw entries.invalid("VoiceGateScript", "cannot stand beside \(key), which speaks for all that runs in it")
        }
        return name
    }

    /// Else one script's manifest would speak for all the others.
    private static func missingScript(_ entries: ManifestEntries, _ executable: String) -> ManifestError {
        ManifestError(
            code: .missingKey, key: "VoiceGateScript", path: entries.path,
            message: "\(executable) is an interpreter, and the manifest does not say which script it is for. "
                + "Add VoiceGateScript with the script's absolute path.")
    }
}
