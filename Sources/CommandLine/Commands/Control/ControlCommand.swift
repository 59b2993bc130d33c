import ArgumentParser

struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Begin a dictation, and steer the one that runs, from a hot key or another terminal.",
        discussion: """
            They mean the newest dictation of the command line; --session names another one. voicegate control toggle \
            with --type, or with a profile, is what a hot key needs. For push to talk begin where the key is pressed, and \
            end where it is let go. Documentation/Delivery.md has examples for sway, Hyprland and i3.
            """,
        subcommands: [
            ControlBeginCommand.self, ControlEndCommand.self, ControlCancelCommand.self, ControlSuspendCommand.self,
            ControlResumeCommand.self, ControlToggleCommand.self, ControlStatusCommand.self,
        ])
}
