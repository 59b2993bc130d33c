import ArgumentParser
import Authorization
import Foundation
import SocketAPI
import VoiceGateClient

struct HistoryListCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what is kept, oldest first, with its text and its end.")

    @Option(help: ArgumentHelp("List only what was heard for this program.", valueName: "id"))
    var client: String?

    @Option(
        help: ArgumentHelp("List only what was kept then or later, such as 2026-11-21.", valueName: "time"),
        transform: TimeArgument.time)
    var since: Date?

    @OptionGroup var options: GlobalOptions

    func validate() throws { try HistorySupport.check(client) }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        var isEmpty = true
        for try await entry in try await service.history(client: client, since: since, texts: true) {
            isEmpty = false
            if context.output.isJSON {
                try context.output.json(entry)
            } else {
                for line in HistoryText.lines(entry) { try context.output.line(line) }
            }
        }
        guard isEmpty, !context.output.isJSON else { return }
        for line in HistoryText.nothing(try await service.keeping()) { context.output.note(line) }
    }
}
