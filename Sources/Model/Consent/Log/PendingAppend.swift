/// Records that somebody waits for: written together or not at all.
struct PendingAppend: Sendable {
    let records: [PreparedRecord]
    /// Records whose disclosures go with it.
    let erased: [Int64]
    /// Gets the index of the first record, once all of it is durable.
    let continuation: CheckedContinuation<UInt64, any Error>
}
