import ArgumentParser

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Look into the consent log: what was asked, answered and used.",
        subcommands: [AuditRecordsCommand.self, AuditVerifyCommand.self, AuditExportCommand.self])
}
