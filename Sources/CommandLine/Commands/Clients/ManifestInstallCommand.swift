import ArgumentParser
import Authorization
import LinuxSystem
import SocketAPI
import VoiceGateClient

struct ManifestInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install a program's manifest, which makes it a client.",
        discussion: """
            The manifest is checked first (voicegate manifest lint) and not installed if it has errors. It is copied with \
            its translations to $XDG_CONFIG_HOME/voicegate/clients/IDENTIFIER/, or sent to the machine's service, which \
            keeps it for you alone; an earlier one is replaced. This grants no permission: you are asked at the first use.
            """)

    @Argument(help: .init("An Info.plist or its folder.", valueName: "file"))
    var file: String

    @Flag(help: "Install despite errors.")
    var force = false

    @Flag(help: "Print only errors.")
    var quiet = false

    func run() async throws {
        let output = Output(isQuiet: quiet, isJSON: false)
        try await output.reportingErrors {
            let file = try ManifestFile(argument: file)
            let findings = file.findings()
            for finding in findings where !quiet || finding.severity == .error {
                output.warn(finding.line(path: file.path(of: finding)))
            }
            guard force || !findings.contains(where: { $0.severity == .error }) else {
                output.warn("Not installed because of these errors. To install anyway: --force")
                throw CommandError.reported(.badData)
            }
            let client = try file.manifest().identifier
            let place = try await Self.install(file, as: client)
            output.note(
                """
                Installed \(place). A running service uses it at once.
                You are asked at the first use. To preview the prompt: voicegate manifest show \(client)
                To decide now: voicegate settings \(client) --allow speechRecognition
                """)
        }
    }

    /// - Returns: its place, as the end of a sentence.
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
            return "in the machine's service, for you alone"
        }
        let folder = paths.configurationDirectory
        let installation = ManifestInstallation(clients: folder + "/clients", staging: folder)
        return "as \(try installation.install(file, as: identifier))/Info.plist"
    }
}
