import Authorization
import LinuxSystem

/// Whether a command will be taken for a client once it runs, and if not, why.
struct ClientCheck {
    let catalog: ClientCatalog

    /// - Parameters:
    ///   - caller: what the command will be.
    ///   - identifier: what it is to be taken for.
    ///   - command: for the message.
    func check(_ caller: Caller, is identifier: String, command: String) throws(CommandError) {
        guard let manifest = catalog.clients.first(where: { $0.manifest.identifier.rawValue == identifier })?.manifest
        else {
            throw Self.wrong(
                "No manifest of \(identifier) is installed, so nothing says what it is. "
                    + "Install it with: voicegate manifest install FILE")
        }
        let found = catalog.client(for: caller)
        if found.identifier == manifest.identifier { return }
        if let other = found.manifest?.identifier, manifest.speaks(for: caller) {
            throw Self.wrong(
                "\(command) is taken for \(other), whose manifest comes first. Remove one of the two manifests.")
        }
        throw Self.wrong(reason(manifest, caller, command))
    }

    private func reason(_ manifest: Manifest, _ caller: Caller, _ command: String) -> String {
        let speaks = "The manifest of \(manifest.identifier) speaks for"
        switch manifest.binding {
        case .executable where caller.evidence == .executable:
            return "\(speaks) the program \(manifest.executablePath), and \(command) is \(caller.executable.path). "
                + "Run that program, or install a manifest of this one."
        case .executable:
            return "\(speaks) the program \(manifest.executablePath), and \(command) is run by an interpreter. "
                + "Install a manifest with VoiceGateScript."
        case .script(let script):
            return "\(speaks) the script \(script) run by \(manifest.executablePath), and \(command) is not that. "
                + "Run the script itself, or that interpreter with the script's path."
        case .flatpak(let name):
            return "\(speaks) the Flatpak application \(name). Only Flatpak can start it: flatpak run \(name)"
        case .snap(let name):
            return "\(speaks) the snap \(name). Only snapd can start it: snap run \(name)"
        case .unit(let unit, _):
            return "\(speaks) a service of systemd, \(unit). Only systemd can start it: systemctl start"
        }
    }

    private static func wrong(_ message: String) -> CommandError {
        CommandError(.notThisClient, .configuration, message)
    }
}
