import ArgumentParser

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
