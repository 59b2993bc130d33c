import Authorization
import Foundation

extension ConsentLog {
    /// `voicegate.local/log/` and the random name that the log gave itself in its first record.
    public nonisolated func origin() async throws -> String {
        guard let name = try await cursor(in: 0..<1).first(where: { _ in true })?.record[.log] else {
            throw ConsentError(
                code: .corrupt, message: "The log's first record is not there. Restore the log from a backup.")
        }
        return Checkpoint.origin(of: name)
    }

    /// Verifier keys, newest last; empty when nothing is signed.
    public var verifiers: [NoteVerifier] { notary?.keys.verifiers ?? [] }

    /// For each of `verifiers` but the last: how many records the log had when it was replaced.
    public var retirements: [UInt64] { verifiers.dropLast().map { notary?.history.retirement(of: $0) ?? 0 } }

    /// Records of the checkpoint that was signed last; 0: none.
    public var signedSize: UInt64 { notary?.lastSize ?? 0 }

    /// The checkpoint of all records that are durable now, signed and itself durable.
    ///
    /// - Throws: `ConsentError` with `notSigning` when the log has no key; the store's errors.
    public func signedCheckpoint() async throws -> SignedNote {
        try await inTurn { try await self.sign([]) }
    }

    /// A report that the log's machine is at work, of the checkpoint of all records that are durable now.
    ///
    /// - Parameter counter: at least 0; the receiver accepts each one once.
    /// - Returns: a note with the text of a `LogReport`.
    /// - Throws: `ConsentError` with `notSigning` when the log has no key; the store's errors.
    public func signedReport(counter: Int64) async throws -> SignedNote {
        try await inTurn {
            let signed = try await self.sign([])
            guard let checkpoint = Checkpoint(text: signed.text), let signer = await self.notary?.keys.signer,
                let note = try signer.sign(LogReport(checkpoint, counter: counter, time: await self.time).text)
            else { throw ConsentError.notSigning }
            return note
        }
    }

    /// Replaces the key that signs. The change is a record, and the next checkpoint bears both signatures.
    public func rotateKey() async throws -> SignedNote { try await rotateKey(.rotated) }

    func rotateKey(_ reason: KeyRotation) async throws -> SignedNote {
        try await inTurn {
            guard let notary = await self.notary, let prepared = notary.keys.preparingNext(),
                let next = prepared.next
            else { throw ConsentError.notSigning }
            try await notary.store.replace(prepared)
            try await self.recordKey(next.verifier, reason)
            return try await self.complete(prepared)
        }
    }

    /// The log names the next key, so that it signs from now on, and nothing else does. If a file cannot be written, the
    /// next start completes it.
    private func complete(_ prepared: LogKeys) async throws -> SignedNote {
        guard let notary, let keys = prepared.completed(naming: notary.history.keys) else {
            throw ConsentError.notSigning
        }
        self.notary?.keys = keys
        let note = try await sign([prepared.signer])
        // A witness that knows the former key alone learns the new one from it, however long it was not reached.
        try await storage.keep(StoredCheckpoint(size: Int64(clamping: self.notary?.lastSize ?? 0), note: note.data))
        try await notary.store.replace(keys)
        return note
    }

    func recordKey(_ key: NoteVerifier, _ reason: KeyRotation) async throws {
        let index = try await append(
            .keyRotated(previous: notary?.history.current?.text, current: key.text, reason: reason), changing: nil)
        notary?.history.append(key, at: index, reason)
    }

    /// Keeps the witnesses' signatures of a checkpoint.
    ///
    /// - Parameter witnesses: whose signatures count.
    /// - Returns: those that were added.
    /// - Throws: `ConsentError` with `badCheckpoint` if the note is not a checkpoint of this log, or has no known signature.
    public func addCosignatures(
        of note: SignedNote, by witnesses: [NoteVerifier]
    ) async throws -> [NoteVerifier] {
        guard let checkpoint = notary?.checkpoint(of: note), checkpoint.size <= head.size,
            try await root(at: checkpoint.size) == checkpoint.root
        else {
            throw ConsentError(code: .badCheckpoint, message: "The note is not a checkpoint of this log.")
        }
        let signers = note.signers(among: witnesses.filter { $0.algorithm == .cosignature })
        guard !signers.isEmpty else {
            throw ConsentError(
                code: .badCheckpoint,
                message: "No witness that is known has signed the checkpoint. Name its key in the file that "
                    + "witnessPolicy in config.yaml names.")
        }
        try await inTurn { try await self.keep(note, of: checkpoint, with: signers) }
        return signers
    }

    /// Records that a checkpoint was sent from this machine, and keeps it.
    public func recordPublication(of note: SignedNote, to destination: String) async throws {
        guard let checkpoint = notary?.checkpoint(of: note) else {
            throw ConsentError(code: .badCheckpoint, message: "The note is not a checkpoint of this log.")
        }
        try await inTurn { try await self.keep(note, of: checkpoint, with: []) }
        try await append(
            .checkpointPublished(size: checkpoint.size, root: checkpoint.root, destination: destination),
            changing: nil)
    }

    /// Keeps the log's own signatures and those of the witnesses, beside what is kept of the same checkpoint; a note that
    /// comes from outside may bear any others.
    private func keep(_ note: SignedNote, of checkpoint: Checkpoint, with witnesses: [NoteVerifier]) async throws {
        let size = Int64(clamping: checkpoint.size)
        let kept = try await storage.checkpoints().first { $0.size == size }.flatMap { SignedNote($0.note) }
        guard let base = kept ?? note.keeping(verifiers) else { return }
        let merged = witnesses.reduce(base) { merged, witness in
            note.signature(of: witness).flatMap { merged.adding($0) } ?? merged
        }
        try await storage.keep(StoredCheckpoint(size: size, note: merged.data))
    }

    /// Checkpoints that were published or cosigned, smallest first.
    public nonisolated func keptCheckpoints() async throws -> [SignedNote] {
        try await storage.checkpoints().compactMap { SignedNote($0.note) }
    }

    /// Signing waits for the store, and a smaller checkpoint must never replace a larger one there.
    func inTurn<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let before = lastSigning
        let task = Task {
            await before?.value
            return try await body()
        }
        lastSigning = Task { _ = await task.result }
        return try await task.value
    }

    /// - Parameter others: who also signs it: the key that the present one replaced.
    func sign(_ others: [NoteSigner]) async throws -> SignedNote {
        guard let notary else { throw ConsentError.notSigning }
        // The tree is what the storage has made durable.
        let head = tree.head
        if let last = notary.last, notary.lastSize == head.size, others.isEmpty { return last }
        guard let checkpoint = Checkpoint(origin: notary.origin, head: head),
            var note = try notary.keys.signer.sign(checkpoint.text)
        else { throw ConsentError.notSigning }
        for signer in others {
            if let signature = try signer.sign(checkpoint.text)?.signatures.first {
                note = note.adding(signature) ?? note
            }
        }
        try await notary.store.replace(note)
        self.notary?.last = note
        self.notary?.lastSize = head.size
        return note
    }
}

extension ConsentError {
    static let notSigning = ConsentError(
        code: .notSigning, message: "This log has no key, so nothing can be signed. Restart the service.")
}

/// The keys that a log signs with, and what it signed last.
struct LogNotary {
    let origin: String
    let store: any CheckpointStore
    var keys: LogKeys
    var last: SignedNote?
    /// Of `last`; nothing was signed yet: 0.
    var lastSize: UInt64 = 0
    var history: KeyHistory

    /// The note's text, if a key signed it that the log had at that size.
    func checkpoint(of note: SignedNote) -> Checkpoint? {
        Checkpoint(text: note.text).flatMap { Checkpoint(note, signedBy: history.verifiers(of: $0.size)) }
    }
}

extension ConsentLog {
    /// Records that an export was made, and signs its digest: a note with the text `<origin>/export\n<SHA-256>\n`.
    ///
    /// - Returns: the record, and the note if the log has a key.
    public func recordExport(
        of scope: RightsScope, format: String, sha256: String, size: UInt64, by caller: Caller
    ) async throws -> (record: UInt64, signature: SignedNote?) {
        let index = try await record(
            .exportMade(scope, format: format, sha256: sha256, size: size, by: caller), changing: nil)
        guard let notary else { return (index, nil) }
        return (index, try notary.keys.signer.sign("\(notary.origin)/export\n\(sha256)\n"))
    }
}
