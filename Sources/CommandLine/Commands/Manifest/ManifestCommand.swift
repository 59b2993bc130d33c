import ArgumentParser

struct ManifestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Check, show and install the Info.plist by which a program asks you.",
        discussion: """
            A manifest is an Info.plist with Apple's keys and VoiceGate's own; Documentation/Manifest.md lists them. \
            Nothing here needs the service.
            """,
        subcommands: [ManifestLintCommand.self, ManifestShowCommand.self, ManifestInstallCommand.self])
}
