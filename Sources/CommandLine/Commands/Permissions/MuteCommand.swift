import ArgumentParser

struct MuteCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "End everything that listens, and let nothing listen until you unmute.",
        discussion: """
            It holds for every program and outlives a restart. Any program of yours may do the same at the socket (PUT \
            /v1/mute), such as a hot key; only voicegate unmute ends it.
            """)

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().mute()
        if context.output.isJSON { return try context.output.json(reply) }
        context.output.note("Muted: nothing listens, and nobody is asked. To end that: voicegate unmute")
    }
}

struct UnmuteCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute",
        abstract: "End what voicegate mute began.",
        discussion: "What you had decided holds again. What the mute has ended does not begin again by itself.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().unmute()
        if context.output.isJSON { return try context.output.json(reply) }
        context.output.note(
            reply.muted
                ? "Still muted: somebody muted it again meanwhile. To end that: voicegate unmute"
                : "Not muted: what you decided holds again.")
    }
}
