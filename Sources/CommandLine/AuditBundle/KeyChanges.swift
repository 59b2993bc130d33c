import Consent

/// Which key signed a log at which size, by its records `key.rotated`.
struct KeyChanges {
    private var changes: [(index: UInt64, key: String)] = []
    private var named: Set<String> = []

    /// Takes records in order.
    mutating func add(_ record: ConsentRecord) {
        guard record.kind == .keyRotated, let key = record[.key] else { return }
        changes.append((record.index, key))
        named.insert(key)
        if let previous = record[.previousKey] { named.insert(previous) }
    }

    /// Whether one of the keys may sign a checkpoint of this size.
    ///
    /// - Parameter knowsAll: whether all records below the size are known; otherwise a key that no known record names may
    ///   be newer than those that they name.
    func admits(_ signers: [NoteVerifier], at size: UInt64, knowsAll: Bool) -> Bool {
        guard let current = changes.last(where: { $0.index < size })?.key else { return true }
        return signers.contains { $0.text == current || !knowsAll && !named.contains($0.text) }
    }
}
