import Authorization
import SocketAPI
import VoiceGateClient

/// A dictation from the options that a person gave to its end. What can go wrong without the microphone does so before it
/// is opened.
struct DictationBegin: Sendable {
    let context: CommandContext
    let options: DictateOptions
    var isPushToTalk = false
    /// Called when it listens, or would if it were not suspended.
    var onStarted: @Sendable () -> Void = {}

    func run() async throws {
        let options = try options.withProfile(of: ServicePaths())
        let given = try await options.words.read(telling: context.output)
        let tools = DeliveryTools()
        let signals = SignalWatch()
        let (deliverer, tones) = try await signals.cancelling { [context] in
            let tones = options.tones == true ? try TonePlayer(tools, device: options.toneDevice) : nil
            return (try await Self.deliverer(options, tools, context.output), tones)
        }
        let keys = isPushToTalk ? try TalkTerminal.open() : nil
        let purpose = options.temporaryFull
        let (client, standing) = try await signals.cancelling { [context] in
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
            device: options.device, waitForDevice: options.waitForDevice == true ? true : nil,
            stopAfterSilence: options.stopAfterSilence, endSilence: options.endSilence, taskHint: given.taskHint,
            contextPhrases: given.contextPhrases, words: given.text, grammar: given.grammar,
            alternatives: given.alternatives, level: options.level == true ? true : nil,
            suspended: isPushToTalk ? true : nil)
        let run = DictationRun(
            client: client, output: context.output,
            display: DictationDisplay(
                client: standing.client, showsPartial: options.partial ?? true, showsLevel: options.level ?? false,
                isPushToTalk: isPushToTalk, language: .ofPerson),
            deliverer: deliverer, tones: tones, keys: keys, onStarted: onStarted)
        try await run.run(request, signals)
    }

    private static func deliverer(
        _ options: DictateOptions, _ tools: DeliveryTools, _ output: Output
    ) async throws -> Deliverer {
        let delivery: (any Delivery)?
        if let command = options.delivery.exec {
            delivery = CommandDelivery(command: command)
        } else {
            switch options.delivery.target ?? .stdout {
            case .stdout: delivery = nil
            case .type: delivery = try await WindowDelivery(tools)
            case .clipboard: delivery = try ClipboardDelivery(tools)
            }
        }
        return Deliverer(
            form: options.form.form, filters: options.delivery.filter.map(TextFilter.init), delivery: delivery,
            isAtEnd: options.delivery.atEnd ?? false, output: output)
    }
}
