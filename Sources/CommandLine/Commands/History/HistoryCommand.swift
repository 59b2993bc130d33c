import ArgumentParser

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What VoiceGate keeps of what you said, and for how long.",
        discussion: """
            VoiceGate keeps nothing unless a program's manifest declares it and you agreed to the prompt that said so. For \
            a history of your own dictations write  keepTranscripts: P30D  into config.yaml.
            Taking a permission back (voicegate reset, voicegate settings) erases what was kept with it.
            """,
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistoryExportCommand.self, HistoryEraseCommand.self,
        ], defaultSubcommand: HistoryListCommand.self)
}
