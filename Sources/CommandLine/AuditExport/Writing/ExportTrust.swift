import Consent

/// The checkpoint that an export is checked against, and the keys that may have signed it.
public struct ExportTrust: Sendable, Hashable {
    public let note: SignedNote
    public let checkpoint: Checkpoint
    /// Newest last.
    public let keys: [NoteVerifier]
    private let signer: NoteVerifier

    /// - Returns: `nil` unless one of the keys signed the note and it is a checkpoint of their log.
    public init?(note: SignedNote, keys: [NoteVerifier]) {
        guard let checkpoint = Checkpoint(note, signedBy: keys), let signer = note.signers(among: keys).last else {
            return nil
        }
        self.note = note
        self.checkpoint = checkpoint
        self.keys = keys
        self.signer = signer
    }

    /// For the report.
    var facts: ExportVerification.Checkpoint {
        ExportVerification.Checkpoint(size: checkpoint.size, root: checkpoint.root.base64, key: signer.text)
    }
}
