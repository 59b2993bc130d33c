import ArgumentParser
import Foundation
import SocketAPI
import Speech

struct DictateCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "dictate",
        abstract: "Write what you say into the microphone.",
        discussion: """
            Each utterance is a line of standard output; while you speak, the text so far is shown at a terminal. With \
            --type, --clipboard or --exec it goes elsewhere, after the filters; when that fails it is written to standard \
            output, so that nothing is lost. With --json each event is a line, as it was recognised.
            Who tells what is about to be said, by --context-phrase and --words, finds fewer errors in it.
            Ctrl-C ends it: what you said until then is still written. A second Ctrl-C throws it away. From elsewhere, such \
            as a hot key: voicegate control. A reader that closes its pipe ends it too.
            """)

    @Flag(
        help: """
            Listen only while you hold the space bar, where the terminal tells when a key is let go (kitty, foot, \
            WezTerm and others); elsewhere it begins and ends listening. Enter or q ends the dictation. While nothing is \
            held the device stays open and its sound is dropped.
            """)
    var pushToTalk = false

    @OptionGroup var dictation: DictateOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await DictationBegin(context: context, options: dictation, isPushToTalk: pushToTalk).run()
    }
}

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

/// Where the text goes.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "stdout (a line for each utterance), type or clipboard. (default: stdout)", valueName: "place"))
    var to: DeliveryTarget?

    @Flag(
        help: """
            Type it into the window that has the keyboard, by wtype, dotool, ydotool or xdotool: the first that is \
            installed and works in this session. The same as --to type.
            """)
    var type = false

    @Flag(
        help: """
            Put it into the clipboard, all that was said so far after each utterance, by wl-copy, xclip or xsel. The same \
            as --to clipboard.
            """)
    var clipboard = false

    @Option(
        help: ArgumentHelp(
            "Run this command line by the shell for each utterance, which is on its standard input.",
            valueName: "command"))
    var exec: String?

    @Flag(inversion: .prefixedNo, help: "Deliver everything at once, when the dictation is over.")
    var atEnd: Bool?

    @Option(
        help: ArgumentHelp(
            """
            A command line that gets each utterance on its standard input and writes what is delivered in its place, \
            within 5 seconds. May stand several times. Where it fails the text stays as it was.
            """, valueName: "command"))
    var filter: [String] = []

    func validate() throws {
        let places = [to != nil, type, clipboard, exec != nil]
        if places.count(where: { $0 }) > 1 {
            throw ValidationError("The text goes to one place: give one of --to, --type, --clipboard and --exec.")
        }
    }

    /// What was asked for here; `nil`: nothing.
    var target: DeliveryTarget? { type ? .type : clipboard ? .clipboard : to }
}

/// How the recognised words are written.
struct TextFormOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Write marks that are said by name: comma, period, question mark, new line, open quote … (English).")
    var punctuation: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Write numbers with digits: twenty three is 23, nineteen eighty four 1984 (English).")
    var numbers: Bool?

    var form: TextForm { TextForm(punctuation: punctuation ?? false, numbers: numbers ?? false) }
}
