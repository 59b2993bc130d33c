import Authorization

extension ConsentLog {
    /// Writes down that an export was made, and signs its digest: a note with the text `<origin>/export\n<SHA-256>\n`.
    ///
    /// - Returns: the record, and the note where the log has a key.
    public func recordExport(_ export: ExportDescription) async throws -> (record: UInt64, signature: SignedNote?) {
        let index = try await record(.exportMade(export), changing: nil)
        guard let notary else { return (index, nil) }
        return (index, try notary.keys.signer.sign("\(notary.origin)/export\n\(export.sha256)\n"))
    }
}
