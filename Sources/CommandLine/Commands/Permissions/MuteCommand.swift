import ArgumentParser
import CommandClient
import SocketAPI

struct MuteCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Stop all listening until voicegate unmute.",
        discussion: """
            The mute applies to all of your programs and survives a restart. Any of them, such as a hot key, can mute \
            through the socket (PUT /v1/mute); only voicegate unmute ends it.
            """)

    @Flag(
        help: "All users of the machine's service. Only for root, and for a user in the foreground at the active seat.")
    var everyone = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().mute(everyone: everyone)
        let isOfAll = reply.mutedBy?.scope == .everyone
        try context.output.result(
            reply,
            note:
                "Muted\(isOfAll ? " for all users" : ""): nothing listens and no prompts appear. To unmute: "
                + MutedBy.command(ending: reply.mutedBy))
    }
}

struct UnmuteCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "End the mute of voicegate mute.",
        discussion: "Your decisions apply again. Sessions that the mute stopped do not restart.")

    @Flag(help: "The mute of all users of the machine's service. Only for root, and for the user who muted.")
    var everyone = false

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext, _ service: ServiceClient) async throws {
        let reply = try await PasswordAgent.beside(service) { try await service.unmute(everyone: everyone) }
        try context.output.result(
            reply,
            note: reply.muted
                ? "Still muted\(reply.mutedBy.map(Self.details) ?? ""). To unmute: "
                    + MutedBy.command(ending: reply.mutedBy) : "Not muted: your decisions apply again.")
    }

    private static func details(_ mute: MutedBy) -> String {
        (mute.scope == .everyone ? " for all users" : "") + (mute.program.map { " by \($0)" } ?? "")
    }
}
