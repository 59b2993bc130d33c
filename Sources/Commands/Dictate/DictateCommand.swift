import ArgumentParser
import Authorization
import SocketAPI

struct DictateCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "dictate",
        abstract: "Write what you say into the microphone.",
        discussion: """
            Each utterance is a line of standard output; while you speak, the text so far is shown at a terminal.
            Who tells what is about to be said, by --context-phrase and --words, finds fewer errors in it.
            Ctrl-C ends it: what you said until then is still written. A second Ctrl-C throws it away.
            """)

    @Option(help: ArgumentHelp("The microphone; voicegate devices lists them.", valueName: "name"))
    var device: String?

    @Flag(help: "When the microphone is unplugged, wait until it is back.")
    var waitForDevice = false

    @Option(
        help: ArgumentHelp("End when nobody has spoken for so long, once you have begun to.", valueName: "seconds"))
    var stopAfterSilence: Double?

    @Option(help: ArgumentHelp("The pause that ends an utterance, 0.2 to 5.", valueName: "seconds"))
    var endSilence: Double?

    @Option(
        help: ArgumentHelp(
            "Ask for every word of this session, where only phrases are allowed; the manifest says why.",
            valueName: "purpose"))
    var temporaryFull: String?

    @Flag(help: "Show how loud it is, measured from what is heard.")
    var level = false

    @Flag(help: "Show no text before an utterance is over.")
    var noPartial = false

    @OptionGroup(title: "Words") var words: WordOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let stopAfterSilence, !(stopAfterSilence > 0 && stopAfterSilence.isFinite) {
            throw ValidationError("--stop-after-silence takes seconds, more than 0.")
        }
        if let endSilence, !(0.2...5).contains(endSilence) {
            throw ValidationError("--end-silence takes seconds, 0.2 to 5.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let given = try await words.read(telling: context.output)
        let signals = SignalWatch()
        let purpose = temporaryFull
        let (client, standing) = try await signals.cancelling {
            let client = try await context.client()
            let standing = try await client.authorization()
            if [standing.speechRecognition, standing.microphone].contains(.notDetermined) {
                try await context.conversation(with: client).request(nil)
            }
            if let purpose {
                try await context.conversation(with: client).requestTemporaryFullFidelity(purposeKey: purpose)
            }
            return (client, standing)
        }
        let request = DictationRequest(
            device: device, waitForDevice: waitForDevice ? true : nil, stopAfterSilence: stopAfterSilence,
            endSilence: endSilence, taskHint: given.taskHint, contextPhrases: given.contextPhrases, words: given.text,
            grammar: given.grammar, alternatives: given.alternatives, level: level ? true : nil)
        let run = DictationRun(
            client: client, output: context.output,
            display: DictationDisplay(
                client: standing.client, showsPartial: !noPartial, showsLevel: level, language: .ofPerson))
        try await run.run(request, signals)
    }
}
