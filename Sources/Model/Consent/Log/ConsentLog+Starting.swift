import Foundation

extension ConsentLog {
    /// Begins to sign. Call it once, before anything is served. What it records has a checkpoint when it returns.
    ///
    /// - Parameter options: what the administrator allowed.
    /// - Throws: `ConsentError` as `LogStart` decides, and then nothing was changed; the store's errors.
    public func beginSigning(with store: any CheckpointStore, allowing options: LogStart.Options = []) async throws {
        let origin = try await origin()
        let history = try await keyHistory()
        let stored = try await store.keys(origin: origin)
        let last = try await lastCheckpoint(in: store, of: origin, history, stored?.keys)
        let start = LogStart(
            records: history.current == nil ? .unsigned : .signed, checkpoint: last.state,
            key: Self.key(stored, history, last.note), isCopy: stored?.isCopy == true, isClockBack: clockWentBack)
        let acts: [LogStart.Act]
        switch start.outcome(allowing: options) {
        case .begins: acts = []
        case .goesOn(let recording): acts = recording
        case .refuses(let code, let needed):
            throw start.error(code, unless: needed, size: tree.size, signedSize: last.size)
        }
        let isReplaced = acts.contains(.keyReplaced)
        let present = isReplaced ? nil : stored?.keys
        // Of a lost file the log's own records still name the former keys.
        guard
            let keys = present
                ?? NoteSigner(name: origin).flatMap({
                    LogKeys(signer: $0, former: history.keys.suffix(LogKeys.maximumFormer))
                })
        else { throw ConsentError.notSigning }
        try await storage.settle()
        var notary = LogNotary(origin: origin, store: store, keys: keys, history: history)
        if start.checkpoint == .continued, let size = last.size {
            notary.last = last.note
            notary.lastSize = size
        }
        self.notary = notary
        for act in acts {
            switch act {
            case .clockJump: _ = try await append([]).value
            case .restored: try await append(.restored(start, lastSigned: last.size), changing: nil)
            case .keyCreated:
                if present == nil { try await store.replace(keys) }
                // Before the record: a log that names a key has a checkpoint.
                _ = try await signedCheckpoint()
                try await recordKey(keys.signer.verifier, .created)
            case .keyRotated: _ = try await rotateKey(start.key == .interrupted ? .rotated : .restored)
            case .keyReplaced: try await replaceKeys(by: keys, .lost)
            }
        }
        if !acts.isEmpty { _ = try await signedCheckpoint() }
    }

    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    nonisolated func keyHistory() async throws -> KeyHistory {
        var history = KeyHistory()
        for try await (_, record) in cursor(of: [.keyRotated]) {
            guard let key = record.fields["key"]?.string.flatMap(NoteVerifier.init(text:)) else { continue }
            history.append(key, at: record.index)
        }
        return history
    }

    private typealias Last = (state: LogStart.LastCheckpoint, note: SignedNote?, size: UInt64?)

    private func lastCheckpoint(
        in store: any CheckpointStore, of origin: String, _ history: KeyHistory, _ keys: LogKeys?
    ) async throws -> Last {
        var last: Last = (.absent, nil, nil)
        if let data = try await store.lastCheckpoint() {
            last.note = SignedNote(data)
            guard let note = last.note, let checkpoint = Checkpoint(text: note.text) else {
                return (.invalid, nil, nil)
            }
            guard checkpoint.origin == origin else { return (.ofAnotherLog, nil, nil) }
            last.size = checkpoint.size
            var verifiers = history.verifiers(of: checkpoint.size)
            // Until the log names its first key, and when it is older than its key, the file alone has the key.
            if let keys, history.current.map(keys.former.contains) ?? true { verifiers += keys.verifiers }
            last.state = try await state(of: checkpoint, isSigned: Checkpoint(note, signedBy: verifiers) != nil)
        }
        guard last.state == .absent || last.state == .continued,
            let kept = try await storage.checkpoints().last.flatMap({ SignedNote($0.note) }),
            let checkpoint = Checkpoint(text: kept.text), checkpoint.origin == origin,
            try await checkpoint.size > acceptedSize()
        else { return last }
        let state = try await state(of: checkpoint, isSigned: true)
        return state == .continued ? last : (state, kept, checkpoint.size)
    }

    /// The size that was signed before the log was last restored, which the administrator accepted; else 0.
    private nonisolated func acceptedSize() async throws -> UInt64 {
        for try await (_, record) in cursor(of: [.recovery], .backward) {
            if let size = record.fields["lastSigned"]?.integer { return UInt64(clamping: size) }
        }
        return 0
    }

    private func state(of checkpoint: Checkpoint, isSigned: Bool) async throws -> LogStart.LastCheckpoint {
        guard checkpoint.size <= tree.size else { return .ahead }
        guard isSigned else { return .invalid }
        return try await root(at: checkpoint.size) == checkpoint.root ? .continued : .diverging
    }

    private static func key(_ stored: StoredKeys?, _ history: KeyHistory, _ last: SignedNote?) -> LogStart.Key {
        guard let stored else { return .absent }
        guard let keys = stored.keys else { return .invalid }
        let key = keys.signer.verifier
        guard let current = history.current, current != key else { return .current }
        if keys.former.contains(current) { return .newer }
        guard history.contains(key) else { return .unknown }
        let isLastSigner = last.map { $0.signature(of: key) != nil && $0.signature(of: current) == nil } ?? false
        return key == history.previous && isLastSigner ? .interrupted : .retired
    }
}
