import ArgumentParser
import SocketAPI
import VoiceGateClient

struct HistoryEraseCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase what is kept, at once and for good.",
        discussion: "The consent log keeps that it was kept, and that it was erased.")

    @Argument(help: "Identifiers, or their beginnings as the list shows them.")
    var items: [String] = []

    @Option(help: ArgumentHelp("All that was heard for this program.", valueName: "id"))
    var client: String?

    @Flag(help: "All that is kept.")
    var all = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try HistorySupport.check(client)
        guard [!items.isEmpty, client != nil, all].count(where: { $0 }) == 1 else {
            throw ValidationError("Give identifiers, --client or --all: one of the three.")
        }
    }

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        let count: Int
        if items.isEmpty {
            count = try await service.eraseHistory(of: client)
        } else {
            let entries = try await HistorySupport.entries(items, service)
            count = try await service.erase(items: entries.map(\.item))
        }
        if context.output.isJSON { return try context.output.json(ErasureReply(erased: count)) }
        context.output.note(
            count == 0 ? "Nothing was kept of it." : "Erased: \(count) \(count == 1 ? "item" : "items").")
    }
}
