import ArgumentParser
import Authorization
import Foundation
import SocketAPI

struct ManifestInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Make a program a client: put its manifest where the service looks.",
        discussion: """
            The manifest is checked first (voicegate manifest lint) and not installed when it has errors. It goes into \
            $XDG_CONFIG_HOME/voicegate/clients/IDENTIFIER/, with its translations; one that is there is replaced. \
            Nothing is allowed by this: you are asked at the first use.
            """)

    @Argument(help: ArgumentHelp("An Info.plist, or the folder it is in.", valueName: "file"))
    var file: String

    @Flag(help: "Install it although the check finds errors.")
    var force = false

    @Flag(help: "Print nothing but errors.")
    var quiet = false

    func run() async throws {
        try await CommandContext.running(quiet: quiet, json: false) { output in
            let input = try ManifestInput(file)
            let findings = input.findings()
            for finding in findings where !quiet || finding.severity == .error {
                output.warn(FindingText.line(finding, path: input.path(of: finding)))
            }
            guard force || !findings.contains(where: { $0.severity == .error }) else {
                output.warn("Not installed, because of these errors. With --force it is installed all the same.")
                throw CommandError.alreadyTold(.badData)
            }
            let manifest: Manifest
            do {
                manifest = try input.file.manifest()
            } catch {
                throw CommandError(.badManifest, .badData, "\(error)")
            }
            let folder = try ManifestInstallation(configurationDirectory: ServicePaths().configurationDirectory)
                .install(input.file, as: manifest.identifier)
            output.note(
                """
                Installed as \(folder)/Info.plist. A running service knows it from now on.
                It asks at its first use. What will be read then: voicegate manifest show \(manifest.identifier)
                To decide now: voicegate settings \(manifest.identifier) --allow speechRecognition
                """)
        }
    }
}
