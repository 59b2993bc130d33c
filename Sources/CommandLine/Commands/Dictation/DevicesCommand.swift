import ArgumentParser
import CommandText

struct DevicesCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the microphones, and why one is unusable.",
        discussion: "The first column is the name for voicegate dictate --device.")

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    func newPager() -> Pager? { paging.pager(options) }

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().devices()
        if context.output.isJSON { return try context.output.json(reply) }
        let rows = reply.devices.map { device in
            [device.name, device.description + (device.problem.map { " (unusable: \($0))" } ?? "")]
        }
        try context.output.lines(TextTable.lines(rows))
        if rows.isEmpty {
            context.output.note("There is no capture device. Connect a microphone; arecord -L lists what ALSA finds.")
        }
    }
}
