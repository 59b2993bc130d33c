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
            records: history.current != nil ? .signed : .unsigned, checkpoint: last.state,
            key: Self.key(stored, history), isCopy: stored?.isCopy == true, isClockBack: clockWentBack)
        let acts: [LogStart.Act]
        switch start.outcome(allowing: options) {
        case .begins: acts = []
        case .goesOn(let recording): acts = recording
        case .refuses(let code, let needed):
            throw start.error(code, unless: needed, size: tree.size, signedSize: last.size)
        }
        let found = acts.contains(.keyReplaced) ? nil : stored?.keys
        let settled = found == nil ? Self.newKeys(origin, history) : found?.settled(start.key, history)
        guard let keys = settled else {
            throw ConsentError.notSigning
        }
        try await storage.settle()
        var notary = LogNotary(origin: origin, store: store, keys: keys, history: history)
        if start.checkpoint == .continued, let size = last.size {
            notary.last = last.note
            notary.lastSize = size
        }
        self.notary = notary
        for act in acts {
            switch act {
            case .clockJump: try await recordClockJump()
            case .restored: try await append(.restored(start, lastSigned: last.size), changing: nil)
            case .keyCreated:
                if found == nil { try await store.replace(LogKeys(unnamed: keys.signer)) }
                // Before the record: a log that names a key has a checkpoint.
                _ = try await signedCheckpoint()
                try await recordKey(keys.signer.verifier, .created)
            case .keyRotated: _ = try await rotateKey(.restored)
            case .keyReplaced:
                try await recordKey(keys.signer.verifier, .lost)
                try await store.replace(keys)
            }
        }
        if acts.contains(where: { $0 != .clockJump }) { _ = try await signedCheckpoint() }
        let replaced = start.key == .interrupted && !acts.contains(.keyRotated) ? found?.signer : nil
        let isNamed = !acts.contains(.keyCreated) && found?.isUnnamed != true
        let isTidy = isNamed && found?.next == nil && stored?.isUnmarked != true
        // If the disk is full, the service can still refuse and deny; the next start tries again.
        try? await inTurn {
            if replaced != nil || acts == [.clockJump] { _ = try await self.sign([replaced].compactMap { $0 }) }
            if !isTidy, let keys = await self.notary?.keys { try await store.replace(keys) }
        }
    }

    private func recordClockJump() async throws {
        do {
            _ = try await append([]).value
        } catch let error as ConsentError where error.code == .notRecorded {
            // It goes before the first record that there is room for.
        }
    }

    /// Of a lost file the log's own records still name the former keys.
    private static func newKeys(_ origin: String, _ history: KeyHistory) -> LogKeys? {
        NoteSigner(name: origin).flatMap {
            LogKeys(signer: $0, former: history.keys.suffix(LogKeys.maximumFormer))
        }
    }

    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    nonisolated func keyHistory() async throws -> KeyHistory {
        var history = KeyHistory()
        for try await (_, record) in cursor(of: [.keyRotated]) {
            guard let key = record[.key].flatMap(NoteVerifier.init(text:)) else { continue }
            history.append(key, at: record.index, record[.reason].flatMap(KeyRotation.init(rawValue:)))
        }
        return history
    }

    private typealias Last = (state: LogStart.LastCheckpoint, note: SignedNote?, size: UInt64?)

    private func lastCheckpoint(
        in store: any CheckpointStore, of origin: String, _ history: KeyHistory, _ keys: LogKeys?
    ) async throws -> Last {
        // Until the log names its first key, and when it is older than its key, the file alone has the key.
        let isOlder = history.current.map { keys?.former.contains($0) == true } ?? true
        let unnamed = isOlder ? keys?.verifiers ?? [] : []
        var last: Last = (.absent, nil, nil)
        if let data = try await store.lastCheckpoint() {
            guard let note = SignedNote(data), let checkpoint = Checkpoint(text: note.text) else {
                return (.invalid, nil, nil)
            }
            guard checkpoint.origin == origin else { return (.ofAnotherLog, nil, nil) }
            let isSigned = Checkpoint(note, signedBy: history.verifiers(of: checkpoint.size) + unnamed) != nil
            let state = try await state(of: checkpoint, isSigned: isSigned)
            last = (state, note, isSigned ? checkpoint.size : nil)
        }
        guard last.state == .absent || last.state == .continued else { return last }
        for kept in try await storage.checkpoints().reversed() {
            guard let note = SignedNote(kept.note), let size = Checkpoint(text: note.text)?.size,
                let checkpoint = Checkpoint(note, signedBy: history.verifiersSinceRestart(of: size) + unnamed),
                checkpoint.origin == origin
            else { continue }
            let state = try await state(of: checkpoint, isSigned: true)
            return state == .continued ? last : (state, note, size)
        }
        return last
    }

    private func state(of checkpoint: Checkpoint, isSigned: Bool) async throws -> LogStart.LastCheckpoint {
        guard checkpoint.size <= tree.size else { return .ahead }
        guard isSigned else { return .invalid }
        return try await root(at: checkpoint.size) == checkpoint.root ? .continued : .diverging
    }

    private static func key(_ stored: StoredKeys?, _ history: KeyHistory) -> LogStart.Key {
        guard let stored else { return .absent }
        guard let keys = stored.keys else { return .invalid }
        guard let current = history.current else { return keys.isUnnamed ? .current : .newer }
        let key = keys.signer.verifier
        if current == key { return .current }
        if current == keys.next?.verifier { return .interrupted }
        if keys.former.contains(current) { return .newer }
        return history.contains(key) ? .retired : .unknown
    }
}

extension LogKeys {
    /// With the next key, if the log names it; else without it.
    fileprivate func settled(_ state: LogStart.Key, _ history: KeyHistory) -> LogKeys? {
        state == .interrupted ? completed(naming: history.keys) : withoutNext
    }
}
