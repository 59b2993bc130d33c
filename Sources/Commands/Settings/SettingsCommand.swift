import ArgumentParser
import Authorization
import SocketAPI
import VoiceGateClient

struct SettingsCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show and change what you decided, for each program.",
        discussion: """
            Without an option it shows; with options it changes and then shows what it came to. A change reaches a \
            program that listens at once. RESOURCE is speechRecognition or microphone.
            """)

    @Argument(help: "The program's bundle identifier, such as io.voicegate.cli. (default: all)")
    var client: String?

    @Option(help: ArgumentHelp("Allow it.", valueName: "resource"))
    var allow: [Resource] = []

    @Option(help: ArgumentHelp("Do not allow it.", valueName: "resource"))
    var deny: [Resource] = []

    @Option(help: ArgumentHelp("Ask again at the next use.", valueName: "resource"))
    var ask: [Resource] = []

    @Option(
        help: ArgumentHelp(
            "With --allow: whileInUse, or always where it is allowed already. (default: as it is, else whileInUse)",
            valueName: "scope"))
    var scope: Scope?

    @Option(
        help: ArgumentHelp(
            "With --allow speechRecognition: full, or reduced to the phrases that the program declares. (default: as it "
                + "is)", valueName: "fidelity"))
    var fidelity: Fidelity?

    @OptionGroup var options: GlobalOptions

    private var changes: [SettingsChange] {
        allow.map {
            SettingsChange(
                resource: $0, choice: .allow, scope: scope, fidelity: $0 == .speechRecognition ? fidelity : nil)
        }
            + deny.map { SettingsChange(resource: $0, choice: .deny) }
            + ask.map { SettingsChange(resource: $0, choice: .ask) }
    }

    func validate() throws {
        if client == nil, !changes.isEmpty {
            throw ValidationError("Say whose settings to change: voicegate settings CLIENT --allow RESOURCE")
        }
        if Set(changes.map(\.resource)).count < changes.count {
            throw ValidationError("Give one of --allow, --deny and --ask for a resource.")
        }
        if scope != nil, allow.isEmpty { throw ValidationError("--scope goes with --allow RESOURCE.") }
        if scope == .once { throw ValidationError("once is an answer to a prompt. To be asked again: --ask RESOURCE") }
        if fidelity != nil, !allow.contains(.speechRecognition) {
            throw ValidationError("--fidelity goes with --allow speechRecognition.")
        }
        if let client, ClientIdentifier(rawValue: client) == nil {
            throw ValidationError("A program is named by its bundle identifier, such as io.voicegate.cli.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        if let client {
            for change in changes { try await service.changeSettings(of: client, change) }
        }
        var reply = try await service.settings()
        if let client { reply.entries.removeAll { $0.client != client } }
        if context.output.isJSON { return try context.output.json(reply) }
        for line in SettingsText.lines(reply) { try context.output.line(line) }
        for problem in reply.problems { context.output.warn(problem) }
        if reply.entries.isEmpty { context.output.note(Language.ofPerson.commandWording.nothingDecided) }
    }
}
