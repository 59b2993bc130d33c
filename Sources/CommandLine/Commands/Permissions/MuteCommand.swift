import ArgumentParser

struct MuteCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "Stop all listening until voicegate unmute.",
        discussion: """
            The mute applies to every program and survives a restart. Any of your programs, such as a hot key, can mute \
            through the socket (PUT /v1/mute); only voicegate unmute ends it.
            """)

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try context.output.result(
            await context.client().mute(),
            note: "Muted: nothing listens and no prompts appear. To unmute: voicegate unmute")
    }
}

struct UnmuteCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute",
        abstract: "End the mute of voicegate mute.",
        discussion: "Your decisions apply again. Sessions that the mute stopped do not restart.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        let reply = try await PasswordAgent.beside(service) { try await service.unmute() }
        try context.output.result(
            reply,
            note: reply.muted
                ? "Still muted: another program has muted again. To unmute: voicegate unmute"
                : "Not muted: your decisions apply again.")
    }
}
