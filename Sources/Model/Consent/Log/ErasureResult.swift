/// What an erasure did, or would do.
public struct ErasureResult: Sendable, Hashable, Codable {
    /// Records whose fields are gone.
    public let erased: Int
    /// Records that the scope admits and that stay, by the reason.
    public let kept: [ErasureExemption: Int]
    /// The record of the erasure; `nil` when there was nothing to erase, or nothing was to be done yet.
    public let record: UInt64?
}
