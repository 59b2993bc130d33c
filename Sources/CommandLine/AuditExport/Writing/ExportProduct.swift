import Consent

/// What an export becomes: one file, or a folder of them. Leaves nothing behind unless it is committed.
protocol ExportProduct {
    func add(_ entry: AuditEntry, _ record: AuditRecord) throws(ExportError)

    /// Writes what is left.
    ///
    /// - Returns: the SHA-256 that stands for all of it, in hexadecimal.
    func finish(_ report: VerificationReport?) throws(ExportError) -> String

    /// Gives it its name.
    ///
    /// - Parameter signature: a note over the SHA-256, where the log signed one.
    func commit(_ signature: SignedNote?) throws(ExportError)
}
