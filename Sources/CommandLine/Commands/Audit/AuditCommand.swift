import ArgumentParser

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Look into the consent log: what was asked, answered and used.",
        subcommands: [
            AuditRecordsCommand.self, AuditTraceCommand.self, AuditExportCommand.self, AuditVerifyCommand.self,
            AuditCheckpointCommand.self, AuditProveCommand.self, AuditEraseCommand.self,
            AuditBackupCommand.self,
        ])
}
