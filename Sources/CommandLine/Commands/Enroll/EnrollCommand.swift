import ArgumentParser
import Authorization
import SocketAPI
import VoiceGateClient

struct EnrollCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll",
        abstract: "Read a few sentences aloud, so that your voice is understood better.",
        discussion: """
            Two minutes of reading. VoiceGate tries what it learnt on sentences that it did not learn from, and keeps it \
            only when that clearly helps. The sound itself is kept nowhere. What is kept is encrypted, for you and \
            for one program, and shown by  voicegate history.
            It has to be wanted: write  keepVoiceProfile: untilWithdrawn  into config.yaml, and start the service again.
            Needs Debian's package sphinxtrain.
            """)

    @Option(
        help: ArgumentHelp(
            "Learn from the recordings of a folder: WAV or FLAC files, a sentence in each, and transcripts.tsv "
                + "(name, tab, words) or a transcription as sphinxtrain has it.", valueName: "folder"))
    var from: String?

    @Option(help: ArgumentHelp("The microphone; voicegate devices lists them.", valueName: "name"))
    var device: String?

    @Flag(help: "Show what is kept of your voice, and how much it helps.")
    var show = false

    @Flag(help: "Erase what is kept of your voice, at once and for good.")
    var remove = false

    @Option(help: ArgumentHelp("With --show and --remove: of this program only.", valueName: "id"))
    var client: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try HistorySupport.check(client)
        guard [from != nil, device != nil, show, remove].count(where: { $0 }) <= 1 else {
            throw ValidationError("--from, --device, --show and --remove do not go together.")
        }
        if client != nil, !show, !remove { throw ValidationError("--client goes with --show or --remove.") }
    }

    func run(_ context: CommandContext) async throws {
        if show { return try await showProfiles(context) }
        if remove {
            let count = try await context.client().removeVoiceProfiles(of: client)
            if context.output.isJSON { return try context.output.json(ErasureReply(erased: count)) }
            return context.output.note(
                count == 0
                    ? "Nothing of your voice was kept."
                    : "Erased. From the next session on you are heard as anybody.")
        }
        let signals = SignalWatch()
        let (from, device) = (from, device)
        try await signals.cancelling {
            let service = try await context.client()
            // Before the person is asked for anything.
            if let problem = try await service.voiceProfiles().problem {
                throw CommandError(.cannotAsk, .noPermission, problem)
            }
            let run = EnrollRun(client: service, output: context.output)
            if let from {
                let recordings = try RecordingFolder(from)
                try await ask(context, service, for: .speechRecognition)
                try await run.follow(try await service.enroll(recordings: recordings.lines()))
            } else {
                try await ask(context, service, for: nil)
                context.output.note(EnrollText.beginning)
                try await run.follow(try await service.enroll(EnrolmentRequest(device: device)))
            }
        }
    }

    /// - Parameter resource: what is needed; `nil`: both.
    private func ask(
        _ context: CommandContext, _ service: VoiceGateClient, for resource: Resource?
    ) async throws {
        let standing = try await service.authorization()
        let needed =
            resource == nil ? [standing.speechRecognition, standing.microphone] : [standing.speechRecognition]
        guard needed.contains(.notDetermined) else { return }
        try await context.conversation(with: service).request(resource)
    }

    private func showProfiles(_ context: CommandContext) async throws {
        let reply = try await context.client().voiceProfiles(of: client)
        if context.output.isJSON { return try context.output.json(reply) }
        for profile in reply.profiles { try context.output.line(EnrollText.line(profile)) }
        if reply.profiles.isEmpty {
            context.output.note(
                "Nothing of your voice is kept. To change that:  "
                    + "voicegate enroll")
        }
    }
}
