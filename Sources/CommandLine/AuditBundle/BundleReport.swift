import Consent

/// What a bundle that fits was found to be.
public struct BundleReport: Sendable, Hashable {
    /// Which log.
    public let origin: String
    /// Of the signed checkpoint: records of the log.
    public let size: UInt64
    public let root: MerkleHash
    /// Whether all of the log's records are in the bundle.
    public let isWhole: Bool
    /// Records in the bundle.
    public let records: UInt64
    /// Records in the bundle whose fields were erased.
    public let erased: UInt64
    /// Times of the bundle's first and last record; `nil` when it has none.
    public let times: ClosedRange<Timestamp>?
    /// Files that the signed list of files covers.
    public let files: Int
    /// The keys that signed the checkpoint.
    public let signers: [NoteVerifier]
    /// Whether the keys came from the bundle itself: then whoever could make a bundle could make the keys, too.
    public let trustsOwnKeys: Bool
    /// Of the witnesses that were asked for.
    public let cosignatures: [WitnessedTime]
}
