import ArgumentParser
import Foundation
import SocketAPI
import Speech

/// What a dictation takes, wherever it is begun. What is not given comes from the profile.
struct DictateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Options under a name of yours, in profiles.yaml of ~/.config/voicegate; what is given here counts more.",
            valueName: "name"))
    var profile: String?

    @Option(help: ArgumentHelp("The microphone; voicegate devices lists them.", valueName: "name"))
    var device: String?

    @Flag(inversion: .prefixedNo, help: "When the microphone is unplugged, wait until it is back.")
    var waitForDevice: Bool?

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

    @Flag(inversion: .prefixedNo, help: "Show how loud it is, measured from what is heard.")
    var level: Bool?

    @Flag(inversion: .prefixedNo, help: "Show the text so far before an utterance is over. (default: --partial)")
    var partial: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "A short rising tone before the microphone opens, and a falling one after it was closed.")
    var tones: Bool?

    @Option(help: ArgumentHelp("Where tones are played; an ALSA name.", valueName: "name"))
    var toneDevice: String?

    @OptionGroup(title: "Where the text goes") var delivery: DeliveryOptions
    @OptionGroup(title: "How it is written") var form: TextFormOptions
    @OptionGroup(title: "Words") var words: WordOptions

    func validate() throws {
        if let stopAfterSilence, !(stopAfterSilence > 0 && stopAfterSilence.isFinite) {
            throw ValidationError("--stop-after-silence takes seconds, more than 0.")
        }
        if let endSilence, !(0.2...5).contains(endSilence) {
            throw ValidationError("--end-silence takes seconds, 0.2 to 5.")
        }
    }

    /// With what the profile says where nothing was given here; lists are joined.
    ///
    /// - Throws: `CommandError` with `badProfile`.
    func withProfile(of paths: ServicePaths) throws(CommandError) -> DictateOptions {
        guard let profile else { return self }
        let file = ProfileFile(path: paths.configurationDirectory + "/profiles.yaml")
        let kept = try file.profile(profile)
        var options = self
        options.take(kept)
        do {
            try options.validate()
            try options.delivery.validate()
            try options.words.validate()
        } catch {
            throw CommandError(
                .badProfile, .configuration, "The profile “\(profile)” in \(file.path) cannot be used: \(error)")
        }
        return options
    }

    private mutating func take(_ profile: DictationProfile) {
        device = device ?? profile.device
        waitForDevice = waitForDevice ?? profile.waitForDevice
        stopAfterSilence = stopAfterSilence ?? profile.stopAfterSilence
        endSilence = endSilence ?? profile.endSilence
        temporaryFull = temporaryFull ?? profile.temporaryFull
        level = level ?? profile.level
        partial = partial ?? profile.partial
        tones = tones ?? profile.tones
        toneDevice = toneDevice ?? profile.toneDevice
        if delivery.target == nil, delivery.exec == nil {
            delivery.to = profile.to
            delivery.exec = profile.exec
        }
        delivery.atEnd = delivery.atEnd ?? profile.atEnd
        delivery.filter = (profile.filters ?? []) + delivery.filter
        form.punctuation = form.punctuation ?? profile.punctuation
        form.numbers = form.numbers ?? profile.numbers
        words.contextPhrase = (profile.contextPhrases ?? []) + words.contextPhrase
        words.words = (profile.words ?? []).map(Self.fromHome) + words.words
        words.grammar = words.grammar ?? profile.grammar.map(Self.fromHome)
        words.task = words.task ?? profile.task
        words.alternatives = words.alternatives ?? profile.alternatives
    }

    /// No shell has been here that would have done it.
    private static func fromHome(_ path: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        return (ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()) + path.dropFirst()
    }
}
