import ArgumentParser
import SocketAPI
import VoiceGateClient

struct DoctorCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at what is enforced, what is not and what is missing, each with the next step.",
        discussion: """
            Changes nothing, starts nothing and opens no device. Exits with 0 when all is well and with 1 when something \
            needs attention. What cannot be seen from here is told as unknown.
            """)

    @OptionGroup var options: GlobalOptions

    struct Report: Encodable {
        let isWell: Bool
        let findings: [Finding]
    }

    func run(_ context: CommandContext) async throws {
        let facts = await FactGathering(client: VoiceGateClient(socketPath: context.socketPath)).facts()
        let findings = Check.findings(facts)
        let isWell = !findings.contains { $0.verdict == .attention }
        if context.output.isJSON {
            try context.output.json(Report(isWell: isWell, findings: findings))
        } else {
            for line in DoctorText.lines(findings) { try context.output.line(line) }
        }
        if !isWell { throw CommandError.alreadyTold(.attention) }
    }
}
