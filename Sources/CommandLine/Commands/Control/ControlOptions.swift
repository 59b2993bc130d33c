import ArgumentParser

/// Which session is meant.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Another session than the newest; voicegate control status --json has them.", valueName: "id"))
    var session: String?
}
