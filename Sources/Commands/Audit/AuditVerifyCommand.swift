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
        } else if reply.verified {
            try context.output.line("The log verifies: \(reply.records) records, root \(reply.root)")
        }
        guard !reply.verified else { return }
        let problem = reply.problem.map { "Record \($0.index) does not fit: \($0.reason)" }
        context.output.warn(problem ?? "The log does not verify.")
        throw CommandError.alreadyTold(.badData)
    }
}
