import Authorization
import Consent
import Retention
import Server
import Storage

extension Routes {
    /// The routes of the consent log and of what is kept.
    ///
    /// - Parameters:
    ///   - witnesses: whose cosignatures are kept.
    ///   - sharing: `nil`: no records are sent.
    package func addRecords(
        log: ConsentLog, erasure: RecordErasure, backup: LogBackup, witnesses: [NoteVerifier],
        sharing: RecordSharing?, gate: Gate, items: ItemStore
    ) {
        let access = AuditAccess(mode: mode)
        AuditRoutes(log: log, access: access).add(to: self)
        ErasureRoutes(erasure: erasure).add(to: self)
        CheckpointRoutes(log: log, witnesses: witnesses).add(to: self)
        ExportRoutes(log: log, access: access).add(to: self)
        BackupRoutes(log: log, backup: backup).add(to: self)
        CollectorRoutes(log: log, sharing: sharing).add(to: self)
        HistoryRoutes(gate: gate, items: items).add(to: self)
    }
}
