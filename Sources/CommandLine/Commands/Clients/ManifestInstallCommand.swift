import ArgumentParser
import Authorization
import Foundation
import LinuxSystem
import SocketAPI
import VoiceGateClient

struct ManifestInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Make a program a client: put its manifest where the service looks.",
        discussion: """
            The manifest is checked first (voicegate manifest lint) and not installed when it has errors. It goes into \
            $XDG_CONFIG_HOME/voicegate/clients/IDENTIFIER/, with its translations, or is given to the machine's own \
            service, which keeps it for you alone; one that is there is replaced. Nothing is allowed by this: you are asked \
            at the first use.
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
            let place = try await Self.install(input.file, as: manifest.identifier)
            output.note(
                """
                Installed \(place). A running service knows it from now on.
                It asks at its first use. What will be read then: voicegate manifest show \(manifest.identifier)
                To decide now: voicegate settings \(manifest.identifier) --allow speechRecognition
                """)
        }
    }

    /// - Returns: where it is now, as the end of a sentence.
    private static func install(_ file: ManifestFile, as identifier: ClientIdentifier) async throws -> String {
        let paths = ServicePaths()
        let service = VoiceGateClient(socketPath: paths.socket)
        if let mode = try? await service.health().mode, mode == .enforced {
            try await service.install(
                ManifestUpload(
                    manifest: file.data,
                    translations: Dictionary(
                        file.translations.map { ($0.language, $0.data) }, uniquingKeysWith: { first, _ in first })),
                as: identifier.rawValue)
            return "with the machine's own service, for you alone"
        }
        let folder = paths.configurationDirectory
        let installation = ManifestInstallation(clients: folder + "/clients", staging: folder)
        let place: String
        do throws(ManifestInstallationError) {
            place = try installation.install(file, as: identifier)
        } catch {
            throw CommandError(installation: error)
        }
        return "as \(place)/Info.plist"
    }
}

extension CommandError {
    fileprivate init(installation error: ManifestInstallationError) {
        switch error.code {
        case .taken: self.init(.badManifest, .badData, error.message)
        case .failed: self.init(.cannotWrite, .cannotWrite, error.message)
        }
    }
}
