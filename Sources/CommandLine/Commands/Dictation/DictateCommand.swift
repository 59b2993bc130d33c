import ArgumentParser
import Foundation
import SocketAPI
import Speech

struct DictateCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "dictate", abstract: "Transcribe speech from the microphone.",
        discussion: """
            Each utterance is a line of standard output; a terminal shows the text so far while you speak. With --type, \
            --clipboard or --exec the filtered text goes elsewhere, and to standard output if that fails. With --json \
            each event is a line, as recognised.
            With PocketSphinx, recognition improves if you supply likely phrases (--context-phrase) or sample text (--words). \
            An engine that cannot use an option refuses it; voicegate engine list --json shows what each can use.
            Ctrl-C ends the dictation, and the speech so far is still written. A second Ctrl-C discards it. To control \
            it from elsewhere, such as a hot key: voicegate control. It also ends if its output pipe is closed.
            """)

    @Flag(
        help: """
            Listen only while you hold the space bar, in terminals that report key releases (kitty, foot, WezTerm and \
            others); in others the space bar starts and stops listening. Enter or q ends the dictation. While it does not \
            listen, the device stays open and its sound is dropped.
            """)
    var pushToTalk = false

    @OptionGroup var dictation: DictateOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if dictation.words.alternatives != nil, !options.outputOptions.json {
            throw ValidationError("--alternatives requires --json, which has them.")
        }
    }

    func run(_ context: CommandContext) async throws {
        try await dictation.dictate(context, isPushToTalk: pushToTalk)
    }
}

/// The options of a dictation; the profile supplies the absent ones.
struct DictateOptions: ParsableArguments {
    @Option(
        help: .init(
            "A set of options in ~/.config/voicegate/profiles.yaml; options given here take precedence.",
            valueName: "name"))
    var profile: String?

    @Option(help: .init("The microphone; voicegate devices lists them.", valueName: "name"), completion: .devices)
    var device: String?

    @Flag(inversion: .prefixedNo, help: "If the microphone is disconnected, wait for it.")
    var waitForDevice: Bool?

    @Option(help: .init("After speech, stop after this much silence.", valueName: "seconds"))
    var stopAfterSilence: Double?

    @Option(help: .init("The pause that ends an utterance, 0.2 to 5.", valueName: "seconds"))
    var endSilence: Double?

    @Option(
        help: .init(
            "If only phrases are allowed, request every word for this session; the manifest explains the purpose.",
            valueName: "purpose"))
    var temporaryFull: String?

    @Flag(inversion: .prefixedNo, help: "Show the sound level.")
    var level: Bool?

    @Flag(inversion: .prefixedNo, help: "Show the text so far during an utterance. (default: --partial)")
    var partial: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Let “scratch that” take back the words before it in the utterance, or else the utterance before. Only --clipboard and \
            --at-end can take back an utterance; what was typed, printed or passed to a command stays. (default: with \
            --punctuation)
            """)
    var scratchThat: Bool?

    @Flag(inversion: .prefixedNo, help: "Play a tone before the microphone opens and after it closes.")
    var tones: Bool?

    @Option(help: .init("The ALSA device for tones.", valueName: "name"), completion: .devices)
    var toneDevice: String?

    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
    @OptionGroup(title: "Text format") var form: TextFormOptions
    @OptionGroup(title: "Words") var words: WordOptions

    func validate() throws {
        if let stopAfterSilence, !(stopAfterSilence > 0 && stopAfterSilence.isFinite) {
            throw ValidationError("--stop-after-silence takes seconds, more than 0.")
        }
        if let endSilence, !(0.2...5).contains(endSilence) {
            throw ValidationError("--end-silence takes seconds, 0.2 to 5.")
        }
    }

    /// These options with those of the profile; lists are joined.
    func withProfile(of paths: ServicePaths) throws(CommandError) -> DictateOptions {
        guard let profile else { return self }
        let file = ProfileFile(path: paths.configurationDirectory + "/profiles.yaml")
        var options = self
        try file.apply(profile, to: &options)
        do {
            try options.validate()
            try options.delivery.validate()
            try options.words.validate()
        } catch {
            throw CommandError(.badProfile, "The profile “\(profile)” in \(file.path) cannot be used: \(error)")
        }
        return options
    }
}

struct DeliveryOptions: ParsableArguments {
    @Option(help: .init("stdout (a line per utterance), type or clipboard. (default: stdout)", valueName: "place"))
    var to: DeliveryTarget?

    @Flag(
        help: """
            Type into the focused window with the first of wtype, dotool, ydotool and xdotool that is installed and \
            works in this session. Same as --to type.
            """)
    var type = false

    @Flag(
        help: """
            Put the text so far into the clipboard after each utterance, with wl-copy, xclip or xsel. Same as --to \
            clipboard.
            """)
    var clipboard = false

    @Option(
        help: .init(
            "Run this shell command for each utterance, with the text on its standard input.", valueName: "command"))
    var exec: String?

    @Flag(inversion: .prefixedNo, help: "Deliver everything at once at the end of the dictation.")
    var atEnd: Bool?

    @Option(
        help: .init(
            """
            A shell command that reads each utterance from its standard input and writes its replacement within 5 \
            seconds; repeatable. If it fails, the text is unchanged.
            """, valueName: "command"))
    var filter: [String] = []

    func validate() throws {
        let places = [to != nil, type, clipboard, exec != nil]
        if places.count(where: { $0 }) > 1 {
            throw ValidationError("--to, --type, --clipboard and --exec exclude each other.")
        }
    }

    var target: DeliveryTarget? { type ? .type : clipboard ? .clipboard : to }
}

struct TextFormOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Write spoken punctuation as marks: comma, period, question mark, new line, open quote … (English).")
    var punctuation: Bool?

    @Option(
        help: .init(
            """
            A file with your own spellings, with any engine: a line  spoken → written  for each. (default: \
            ~/.config/voicegate/replacements.txt if it exists; '' for none)
            """, valueName: "file"))
    var replacements: String?

    func former() async throws -> TextFormer {
        let usual = ServicePaths().configurationDirectory + "/replacements.txt"
        let path = replacements ?? (access(usual, F_OK) == 0 ? usual : "")
        let own = try await Blocking.run { path.isEmpty ? .none : try Replacements(path: path) }
        return TextFormer(punctuation: punctuation ?? false, replacements: own)
    }
}
