import ArgumentParser

struct DevicesCommand: PagedCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the microphones, and why one is unusable.",
        discussion: "The first column is the name for voicegate dictate --device.")

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().devices()
        let rows = reply.devices.map { device in
            [device.name, device.description + (device.problem.map { " (unusable: \($0))" } ?? "")]
        }
        try context.output.result(
            reply, rows: rows,
            none: "There is no capture device. Connect a microphone; arecord -L lists what ALSA finds.")
    }
}
