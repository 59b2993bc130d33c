import ArgumentParser

/// What every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The service's socket. (default: $VOICEGATE_SOCKET, else the machine's own service at "
                + "/run/voicegate/voicegate.sock, else $XDG_RUNTIME_DIR/voicegate/voicegate.sock)", valueName: "path"))
    var socket: String?

    @Flag(help: "Print JSON, one object a line, also for errors.")
    var json = false

    @Flag(help: "Print nothing but results and errors.")
    var quiet = false

    @Flag(help: "Never ask anything at this terminal.")
    var noInput = false
}
