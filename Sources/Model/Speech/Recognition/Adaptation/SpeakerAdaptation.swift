/// What was learnt earlier, with the person's consent, and makes a session begin better than from nothing.
public struct SpeakerAdaptation: Sendable, Hashable {
    /// Bytes of a transform.
    public static let largestTransform = 1 << 20

    /// Of the capture device; `nil`: the model's own.
    public let mean: CepstralMean?
    /// An MLLR matrix for the acoustic model's means, as sphinxtrain's `mllr_solve` writes it; `nil`: none.
    public let transform: [UInt8]?

    public static let none = SpeakerAdaptation()

    /// - Parameter transform: one that is too large is left away: the session is worse then, not refused.
    public init(mean: CepstralMean? = nil, transform: [UInt8]? = nil) {
        self.mean = mean
        self.transform = transform.flatMap { $0.isEmpty || $0.count > Self.largestTransform ? nil : $0 }
    }

    public var isEmpty: Bool { mean == nil && transform == nil }
}
