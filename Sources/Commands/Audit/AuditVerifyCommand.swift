import ArgumentParser

struct AuditVerifyCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no record was changed, removed or put between others.",
        discussion: "Names the first record that does not fit, and exits with 65 then.")

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let reply = try await context.client().auditVerification()
        if context.output.isJSON {
            try context.output.json(reply)
        } else if reply.isIntact {
            try context.output.line("The log verifies: \(reply.records) records, root \(reply.root)")
        }
        guard let problem = reply.problem else { return }
        context.output.warn(problem.message)
        throw CommandError.alreadyTold(.badData)
    }
}
