import ArgumentParser
import Authorization
import Foundation
import SocketAPI
import VoiceGateClient

struct HistoryShowCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a transcript that is kept, an utterance a line.")

    @Argument(help: "The item's identifier, or its beginning as the list shows it.")
    var item: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        for entry in try await HistorySupport.entries([item], service) {
            guard entry.kind == .transcript else {
                throw CommandError(
                    .noInput, .usage,
                    "\(entry.item) is no text. To hear it:  voicegate history export \(entry.item.prefix(8)) --output "
                        + "FILE.wav")
            }
            for utterance in try await HistorySupport.utterances(entry.item, service) {
                if context.output.isJSON {
                    try context.output.json(utterance)
                } else {
                    try context.output.line(DisplayText.cleaned(utterance.text, limit: 4000))
                }
            }
        }
    }
}
