/// Whose cosignatures were kept.
public struct CosignatureReply: Sendable, Hashable, Codable {
    /// Verifier keys.
    public let witnesses: [String]

    public init(witnesses: [String]) { self.witnesses = witnesses }
}
