import ArgumentParser

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
