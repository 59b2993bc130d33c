import ArgumentParser
import Authorization
import CommandClient
import Foundation
import SocketAPI
import Speech

struct EnrollCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll",
        abstract: "Read a few sentences aloud to improve the recognition of your voice.",
        discussion: """
            This takes two minutes. VoiceGate tests the result on other sentences and keeps it only if it clearly helps. \
            The sound is not kept. The voice profile is encrypted, valid for you and one program, and listed by  \
            voicegate history.
            To permit it, write  keepVoiceProfile: untilWithdrawn  into config.yaml and run  voicegate service \
            reload. Debian's package sphinxtrain is required.
            """)

    @Option(
        help: .init(
            "Learn from a folder of recordings: one sentence per WAV or FLAC file, and transcripts.tsv (name, tab, words) "
                + "or a transcription of sphinxtrain.", valueName: "folder"))
    var from: String?

    @Option(help: .init("The microphone; voicegate devices lists them.", valueName: "name"))
    var device: String?

    @Flag(help: "Show the voice profiles and how much they help.")
    var show = false

    @Flag(help: "Erase the voice profiles at once and permanently.")
    var remove = false

    @Option(
        help: .init("With --show and --remove: only of this program.", valueName: "id"),
        transform: ArgumentReader.client)
    var client: String?

    @OptionGroup var erasure: ErasureOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard [from != nil, device != nil, show, remove].count(where: { $0 }) <= 1 else {
            throw ValidationError("--from, --device, --show and --remove exclude each other.")
        }
        if client != nil, !show, !remove { throw ValidationError("--client requires --show or --remove.") }
    }

    func run(_ context: CommandContext) async throws {
        if show { return try await showProfiles(context) }
        if remove {
            let service = try await context.client()
            let profiles = try await context.kept(of: client, service).filter { $0.kind == .voiceProfile }
            let planned = profiles.isEmpty ? [] : ["To be erased:"] + KeptSummary.lines(profiles)
            guard try await context.agrees(toErase: planned, erasure) else { return }
            let count = try await service.removeVoiceProfiles(of: client)
            return try context.output.result(
                ErasureReply(erased: count),
                note: count == 0
                    ? "There was no voice profile."
                    : "Erased. New sessions use the general model.")
        }
        let signals = SignalWatch()
        let (from, device) = (from, device)
        try await signals.cancelling {
            let service = try await context.client()
            // Checked before the user is asked for anything.
            let present = try await service.voiceProfiles()
            if let problem = present.problem { throw CommandError(.cannotAsk, status: .noPermission, problem) }
            if let note = present.note { context.output.warn(note) }
            if let from {
                let recordings = try RecordingFolder(from)
                _ = try await context.requestUndecided(from: service, withMicrophone: false)
                try await follow(try await service.enroll(recordings: recordings.lines()), context.output)
            } else {
                _ = try await context.requestUndecided(from: service, withMicrophone: true, device: device)
                context.output.note(EnrollText.beginning)
                try await follow(try await service.enroll(EnrolmentRequest(device: device)), context.output)
            }
        }
    }

    private func follow(_ events: EventStream<EnrolmentEvent>, _ output: Output) async throws {
        var total = 0
        for try await event in events {
            if output.isJSON { try output.json(event) }
            switch event {
            case .started(_, let sentences): total = sentences
            case .sentence(let number, let text): output.note(EnrollText.sentence(number, total, text))
            case .heard(_, let text, let outcome): output.note(EnrollText.heard(text, outcome))
            case .learning(let share): output.live("Learning and testing … \(Int(share * 100)) %")
            case .learnt(let profile, let isKept, let unused):
                output.clearLive()
                if !unused.isEmpty { output.note(EnrollText.unused(unused)) }
                if !output.isJSON { try output.line(EnrollText.line(profile)) }
                output.note(isKept ? EnrollText.kept : EnrollText.refused)
            case .ended(let ending, let message):
                output.clearLive()
                if let message { output.warn(message) }
                return try ExitStatus(ending).check()
            }
        }
        throw ClientError.disconnected
    }

    private func showProfiles(_ context: CommandContext) async throws {
        let reply = try await context.client().voiceProfiles(of: client)
        try context.output.result(reply, reply.profiles.map { EnrollText.line($0) })
        if reply.profiles.isEmpty, !context.output.isJSON {
            context.output.note("There is no voice profile. To create one:  voicegate enroll")
        } else if let note = reply.note, !context.output.isJSON {
            context.output.note(note)
        }
    }
}

enum EnrollText {
    static let beginning = """
        Read each sentence aloud when it appears, as you usually speak. Ctrl-C cancels.

        """

    static let kept =
        "The voice profile helps and is kept for your next sessions. To erase it:  voicegate enroll --remove"

    static let refused = """
        The voice profile does not clearly help on test sentences, so it is not kept. Try more sentences, the microphone \
        that you dictate with, or a quieter room.
        """

    static func sentence(_ number: Int, _ total: Int, _ text: String) -> String {
        "\n\(number)/\(total)  \(cleaned(text))"
    }

    static func heard(_ text: String, _ outcome: EnrolmentEvent.HeardOutcome) -> String {
        let understood = "      understood: \(cleaned(text))"
        return switch outcome {
        case .read: understood
        case .again: understood + "\n      That was another sentence. Please read it again."
        case .skipped: understood + "\n      Skipped."
        }
    }

    static func unused(_ numbers: [Int]) -> String {
        let list = numbers.map(String.init).joined(separator: ", ")
        return "Not used, because of unknown words or other speech: \(list)."
    }

    /// `io.voicegate.cli  24 sentences, 112 s  errors per 100 words: 31.4 → 27.0  until you withdraw it  3f2a9c1e`
    static func line(_ profile: VoiceProfileReply, timeZone: TimeZone = .current) -> String {
        var parts = [
            cleaned(profile.client), "\(profile.sentences) sentences, \(Int(profile.seconds.rounded())) s",
            "errors per 100 words: \(rate(profile.errorsBefore, profile.words)) → "
                + "\(rate(profile.errorsAfter, profile.words)) (\(profile.better) sentences better, \(profile.worse) worse)",
        ]
        if let item = profile.item {
            parts += [HistoryText.expiry(profile.until, timeZone), String(item.prefix(8))]
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
