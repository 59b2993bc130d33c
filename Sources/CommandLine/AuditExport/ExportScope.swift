import Authorization
import Consent
import Foundation

/// What an export is of. The file `scope.json` of a bundle.
public struct ExportScope: Sendable, Hashable, Codable {
    /// The log's origin: the first line of its checkpoints.
    public var log: String
    /// Records of the log when the export was made; those behind them are not in it.
    public var size: UInt64
    public var client: String?
    public var since: Date?
    public var until: Date?
    /// A pseudonym or a user's number.
    public var subject: String?
    /// Of the texts that are not from records.
    public var language: Language
    public var madeAt: Date

    public init(
        log: String, size: UInt64, client: String? = nil, since: Date? = nil, until: Date? = nil,
        subject: String? = nil, language: Language, madeAt: Date
    ) {
        self.log = log
        self.size = size
        self.client = client
        self.since = since
        self.until = until
        self.subject = subject
        self.language = language
        self.madeAt = madeAt
    }

    /// Whether nothing was left out, so that the records alone give the tree's root.
    public var isWhole: Bool { client == nil && since == nil && until == nil && subject == nil }

    /// Canonical JSON with a line's end.
    public var document: String {
        var members: [String: JSONValue] = [
            "log": .string(log), "size": .integer(Int64(clamping: size)), "whole": .boolean(isWhole),
            "language": .string(language.rawValue), "madeAt": .string(Timestamp(madeAt).text),
        ]
        if let client { members["client"] = .string(client) }
        if let since { members["since"] = .string(Timestamp(since).text) }
        if let until { members["until"] = .string(Timestamp(until).text) }
        if let subject { members["subject"] = .string(subject) }
        return JSONValue.object(members).canonical + "\n"
    }
}

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
