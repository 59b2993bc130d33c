import ArgumentParser
import SocketAPI
import VoiceGateClient

struct ControlStatusCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say in one word how the dictation stands: listening, suspended, paused, ending, beginning or idle.",
        discussion: "paused: the device is away, or the program is in the background. With --json: all of them.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let isBeginning = DictationLock.isHeld
        let reply: DictationsReply
        do {
            reply = try await context.clientOfRunningService.dictations()
        } catch let error as ClientError where error.code == .notRunning {
            reply = DictationsReply(sessions: [])
        }
        if context.output.isJSON { return try context.output.json(reply) }
        try context.output.line(Self.word(reply.sessions.first { !$0.isEnding } ?? reply.sessions.first, isBeginning))
    }

    private static func word(_ session: DictationsReply.Session?, _ isBeginning: Bool) -> String {
        guard let session else { return isBeginning ? "beginning" : "idle" }
        if session.isEnding { return "ending" }
        if session.paused.contains(.suspended) { return "suspended" }
        return session.paused.isEmpty ? "listening" : "paused"
    }
}
