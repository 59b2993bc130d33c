import ArgumentParser
import Authorization
import Foundation
import SocketAPI
import Speech
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

/// Follows an enrolment to its end.
struct EnrollRun: Sendable {
    let client: VoiceGateClient
    let output: Output

    func follow(_ events: EventStream<EnrolmentEvent>) async throws {
        var total = 0
        for try await event in events {
            if output.isJSON { try output.json(event) }
            switch event {
            case .started(_, let sentences): total = sentences
            case .sentence(let number, let text): output.note(EnrollText.sentence(number, total, text))
            case .heard(_, let text, let outcome): output.note(EnrollText.heard(text, outcome))
            case .learning(let share): output.live(EnrollText.learning(share))
            case .learnt(let profile, let isKept, let unused):
                output.clearLive()
                if !unused.isEmpty { output.note(EnrollText.unused(unused)) }
                if !output.isJSON { try output.line(EnrollText.line(profile)) }
                output.note(isKept ? EnrollText.kept : EnrollText.refused)
            case .ended(let ending, let message):
                output.clearLive()
                if let message { output.warn(message) }
                let status = ExitStatus(ending)
                if status != .success { throw CommandError.alreadyTold(status) }
                return
            }
        }
        throw ClientError.disconnected
    }
}

/// An enrolment as a person reads it.
enum EnrollText {
    static let beginning = """
        Read each sentence aloud when it appears, as you usually speak, and wait for the next. Ctrl-C gives it up.

        """

    static let kept =
        "It helps, so it is kept: your next sessions are heard with it. To erase it:  voicegate "
        + "enroll --remove"

    static let refused = """
        That does not clearly help on sentences that it was not learnt from, so nothing is kept. More sentences, the \
        microphone that you dictate with, or a quieter room may change that.
        """

    static func sentence(_ number: Int, _ total: Int, _ text: String) -> String {
        "\n\(number)/\(total)  \(cleaned(text))"
    }

    static func heard(_ text: String, _ outcome: EnrolmentEvent.HeardOutcome) -> String {
        let understood = "      understood: \(cleaned(text))"
        return switch outcome {
        case .read: understood
        case .again: understood + "\n      That was something else. Read it once more, please."
        case .skipped: understood + "\n      It is left out."
        }
    }

    static func learning(_ share: Double) -> String { "Learning and trying it … \(Int(share * 100)) %" }

    static func unused(_ places: [Int]) -> String {
        let list = places.map(String.init).joined(separator: ", ")
        return "Not used, because a word is unknown or something else was said: \(list)."
    }

    /// `io.voicegate.cli  24 sentences, 112 s  errors in 100 words: 31.4 → 27.0  until you take it back  3f2a9c1e`
    static func line(_ profile: VoiceProfileReply, timeZone: TimeZone = .current) -> String {
        var parts = [
            cleaned(profile.client), "\(profile.sentences) sentences, \(Int(profile.seconds.rounded())) s",
            "errors in 100 words: \(rate(profile.errorsBefore, profile.words)) → "
                + "\(rate(profile.errorsAfter, profile.words)) (\(profile.better) sentences better, \(profile.worse) worse)",
        ]
        if let item = profile.item {
            parts.append(
                profile.until.map { "until \(DayAndTime.text($0, timeZone: timeZone))" } ?? "until you "
                    + ""
                    + "take it back")
            parts.append(String(item.prefix(8)))
        } else {
            parts.append("not kept")
        }
        if !profile.fitsModel { parts.append("not used: it was learnt with another model") }
        return parts.joined(separator: "  ")
    }

    private static func rate(_ errors: Int, _ words: Int) -> String {
        words == 0 ? "–" : String(format: "%.1f", 100 * Double(errors) / Double(words))
    }

    private static func cleaned(_ text: String) -> String { DisplayText.cleaned(text, limit: 4_000) }
}
