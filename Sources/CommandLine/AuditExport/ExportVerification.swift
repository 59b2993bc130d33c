import Consent

/// What is known about the records of an export when it is made; what the report tells about proof.
public struct ExportVerification: Sendable, Hashable {
    /// How the exported records themselves were checked against the checkpoint.
    public enum Coverage: Sendable, Hashable {
        /// They are the whole log, and the root was computed from them again.
        case whole
        /// Each has a proof, and that was checked.
        case proofs
        /// They were not: one file alone holds nothing to check them by.
        case unchecked
    }

    public struct Checkpoint: Sendable, Hashable {
        public let size: UInt64
        /// base64
        public let root: String
        /// Name and identifier of the key that signed it.
        public let key: String

        public init(size: UInt64, root: String, key: String) {
            self.size = size
            self.root = root
            self.key = key
        }
    }

    /// What the service found when it read its whole log; `nil` where it was not asked.
    public var report: VerificationReport?
    public var checkpoint: Checkpoint?
    public var coverage: Coverage

    public init(report: VerificationReport?, checkpoint: Checkpoint? = nil, coverage: Coverage = .unchecked) {
        self.report = report
        self.checkpoint = checkpoint
        self.coverage = coverage
    }
}
