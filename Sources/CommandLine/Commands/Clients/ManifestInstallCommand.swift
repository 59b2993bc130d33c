import ArgumentParser
import LinuxSystem

struct ManifestInstallCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install a program's manifest, which makes it a client.",
        discussion: """
            The manifest is checked first (voicegate manifest lint) and not installed if it has errors. It is copied with \
            its translations to $XDG_CONFIG_HOME/voicegate/clients/IDENTIFIER/, or sent to the machine's service, which \
            keeps it for you alone; an earlier one is replaced. This grants no permission: you are asked at the first use.
            """)

    @Argument(help: .init("An Info.plist or its folder.", valueName: "file"), completion: .file())
    var file: String

    @Flag(help: "Install despite errors.")
    var force = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let output = context.output
        let quiet = options.outputOptions.quiet
        let file = try ManifestFile(argument: file)
        let findings = file.findings()
        for finding in findings where !quiet || finding.severity == .error {
            output.warn(finding.line(path: file.path(of: finding)))
        }
        guard force || !findings.contains(where: { $0.severity == .error }) else {
            output.warn("Not installed because of these errors. To install anyway: --force")
            throw CommandError.reported(.badData)
        }
        let installed = try await ClientRegistry(context).install(file, as: try file.manifest().identifier)
        try installed.report(to: output, resources: [.speechRecognition])
    }
}
