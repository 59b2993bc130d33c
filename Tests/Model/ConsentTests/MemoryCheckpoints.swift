import Consent

/// Keeps keys and the last checkpoint in memory, so that a test can take them away or put old ones back.
actor MemoryCheckpoints: CheckpointStore {
    private(set) var keys: LogKeys?
    private(set) var last: SignedNote?

    func keys(origin: String, hasSigned: Bool) throws -> LogKeys {
        if let keys { return keys }
        guard let created = NoteSigner(name: origin).flatMap({ LogKeys(signer: $0) }) else {
            throw ConsentError(code: .notSigning, message: "No key can have the name \(origin).")
        }
        keys = created
        return created
    }

    func replace(_ keys: LogKeys) { self.keys = keys }

    func lastCheckpoint() -> SignedNote? { last }

    func replace(_ checkpoint: SignedNote) { last = checkpoint }

    func lose() { keys = nil }

    func putBack(_ checkpoint: SignedNote?) { last = checkpoint }
}
