import ArgumentParser

struct DevicesCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the microphones, and why one cannot be used.",
        discussion: "The first column is the name that voicegate dictate --device takes.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().devices()
        if context.output.isJSON { return try context.output.json(reply) }
        let rows = reply.devices.map { device in
            [device.name, device.description + (device.problem.map { " (cannot be used: \($0))" } ?? "")]
        }
        for line in TextTable.lines(rows) { try context.output.line(line) }
        if rows.isEmpty {
            context.output.note("There is no capture device. Connect a microphone; `arecord -L` shows what ALSA sees.")
        }
    }
}
