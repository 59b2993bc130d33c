import ArgumentParser
import Authorization

struct RequestCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Request the permissions for dictation now, instead of at the first use.",
        discussion: "Decided permissions are not asked for again; to change them: voicegate settings")

    @Argument(help: "speechRecognition or microphone. (default: both)")
    var resources: [Resource] = []

    @Flag(help: "Also request use in the background; the prompt for it appears later, at a quiet moment.")
    var always = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let signals = SignalWatch()
        let resources = resources
        let scope: Scope? = always ? .always : nil
        let (reply, questions) = try await signals.cancelling {
            let client = try await context.client()
            let conversation = context.conversation(with: client)
            if resources.isEmpty { try await conversation.request(nil, scope: scope) }
            for resource in resources { try await conversation.request(resource, scope: scope) }
            let reply = try await client.authorization()
            return (reply, try await client.waitingQuestions(about: reply.client))
        }
        try context.output.result(reply, StatusText.lines(reply, questions: questions))
    }
}

struct ResetCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Forget decisions, so that you are asked again.",
        discussion: """
            Data that VoiceGate kept under the permission is erased; if there is any, the command asks at a terminal. The \
            consent log keeps the decision and the reset.
            """)

    @Argument(
        help: .init(
            "speechRecognition or microphone (default: both), a program's bundle identifier, or one of each.",
            valueName: "resource|client"),
        completion: .clients)
    var subjects: [String] = []

    @Option(
        help: .init(
            "The program's bundle identifier. (default: \(CommandContext.ownClient), this command)", valueName: "id"),
        completion: .clients, transform: ArgumentReader.client)
    var client: String?

    @Flag(help: "For every program.")
    var all = false

    @OptionGroup var erasure: ErasureOptions
    @OptionGroup var options: GlobalOptions

    private var resources: [Resource] { subjects.compactMap(Resource.init(argument:)) }
    private var clients: [String] {
        subjects.filter { Resource(argument: $0) == nil } + [client].compactMap { $0 }
    }

    func validate() throws {
        for name in subjects where Resource(argument: name) == nil {
            try require(
                name.contains(".") && ClientIdentifier(rawValue: name) != nil,
                "“\(name)” is neither speechRecognition nor microphone, nor a program's identifier such as io.voicegate.cli."
            )
        }
        try require(
            resources.count < 2 && clients.count < 2,
            "One resource and one program at a time; without them it is both, of this command.")
        if all, !clients.isEmpty { throw ValidationError("A program and --all exclude each other.") }
    }

    func run(_ context: CommandContext) async throws {
        let (resource, client) = (resources.first, clients.first)
        let target = all ? nil : client ?? CommandContext.ownClient
        let service = try await context.client()
        if context.isAttended, !erasure.yes {
            let kept = try await context.kept(of: target, service)
            // The microphone's permission leaves what came from files.
            let limit = resource == .microphone ? ", as far as it was heard by the microphone:" : ":"
            let planned = kept.isEmpty ? [] : ["With the permission this is erased\(limit)"] + KeptSummary.lines(kept)
            guard try await context.agrees(toErase: planned, erasure) else { return }
        }
        try await context.requireKnown(client, service)
        try await service.reset(client: target, resource: resource)
        try context.output.result(
            Done(client: target, resources: resource.map { [$0.rawValue] } ?? Resource.allCases.map(\.rawValue)),
            note: Language.ofPerson.commandWording.reset(target, resource))
    }

    /// What `--json` prints.
    private struct Done: Encodable {
        /// Absent: every program.
        let client: String?
        let resources: [String]
    }
}
