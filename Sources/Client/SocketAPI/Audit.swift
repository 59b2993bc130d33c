import Authorization
import Foundation

/// `POST /v1/audit/exports`: an export that was made, to be recorded.
public struct ExportRequest: Sendable, Hashable, Codable {
    public let format: String
    /// SHA-256 of the file, or of a bundle's `SHA256SUMS`; lower-case hexadecimal.
    public let sha256: String
    /// Records of the log.
    public let size: UInt64
    /// The records it was limited to.
    public let client: String?
    public let since: Date?
    public let until: Date?
    /// A pseudonym or a user's number.
    public let subject: String?

    public init(
        format: String, sha256: String, size: UInt64, client: String? = nil, since: Date? = nil, until: Date? = nil,
        subject: String? = nil
    ) {
        self.format = format
        self.sha256 = sha256
        self.size = size
        self.client = client
        self.since = since
        self.until = until
        self.subject = subject
    }
}

/// `POST /v1/audit/exports`
public struct ExportReply: Sendable, Hashable, Codable {
    /// The record of the export.
    public let record: UInt64
    /// A signed note over `<origin>/export` and the SHA-256; `nil` if the log has no key.
    public let signature: String?

    public init(record: UInt64, signature: String?) {
        self.record = record
        self.signature = signature
    }
}

/// The line of `POST /v1/audit/backups`: the copy of the log, which exists until the connection is closed.
public struct BackupReply: Sendable, Hashable, Codable {
    /// A folder of the service's user.
    public var folder: String
    /// Records of the log before the copy was made, which has them all.
    public var records: UInt64
    /// SHA-256 of the database, as `export.made` has it.
    public var sha256: String

    public init(folder: String, records: UInt64, sha256: String) {
        self.folder = folder
        self.records = records
        self.sha256 = sha256
    }
}

/// `POST /v1/audit/erasures`: erases the fields of the records that match all of this, and what is kept of their sessions.
/// `GET` with the same in its query only reports what that would be. Only VoiceGate's own command may call it, and erase
/// only in the foreground.
public struct RecordErasureRequest: Sendable, Hashable, Codable {
    public var client: String?
    /// Only what happened before this time.
    public var before: Date?
    /// UUID.
    public var session: String?
    /// The user's number. Absent: the caller's; only root can erase another user's.
    public var user: UInt32?

    public init(client: String? = nil, before: Date? = nil, session: String? = nil, user: UInt32? = nil) {
        self.client = client
        self.before = before
        self.session = session
        self.user = user
    }
}

/// The result of an erasure, or what it would be.
public struct RecordErasureReply: Sendable, Hashable, Codable {
    /// Records that stay, because something depends on them.
    public struct Kept: Sendable, Hashable, Codable {
        /// The number of records.
        public var records: Int
        public var reason: KeepingReason
        /// The command that ends the reason, so that they can be erased.
        public var command: String?

        public init(records: Int, reason: KeepingReason, command: String?) {
            self.records = records
            self.reason = reason
            self.command = command
        }
    }

    /// Records whose fields were erased. Their leaves stay in the tree, so that the other records can still be proven.
    public var records: Int
    /// Erased recordings, transcripts and profiles.
    public var items: Int
    public var kept: [Kept]
    /// UUID of the request, which its records name; absent if there was nothing to do yet.
    public var request: String?

    public init(records: Int, items: Int, kept: [Kept], request: String? = nil) {
        self.records = records
        self.items = items
        self.kept = kept
        self.request = request
    }
}

/// Answer to `POST /v1/audit/checkpoint` and `POST /v1/audit/keys`.
public struct CheckpointReply: Sendable, Hashable, Codable {
    /// The signed note.
    public let checkpoint: String
    /// Verifier keys of the log, newest last.
    public let keys: [String]
    /// For each key but the last one: how many records the log had when it was replaced. It vouches for no larger checkpoint.
    public let retired: [UInt64]

    public init(checkpoint: String, keys: [String], retired: [UInt64]) {
        self.checkpoint = checkpoint
        self.keys = keys
        self.retired = retired
    }
}

/// `POST /v1/audit/cosignatures`; answered with a `CosignatureReply`.
public struct CosignatureRequest: Sendable, Hashable, Codable {
    /// A checkpoint of this log with the signatures of witnesses below it.
    public let checkpoint: String

    public init(checkpoint: String) { self.checkpoint = checkpoint }
}

/// The witnesses whose cosignatures were kept.
public struct CosignatureReply: Sendable, Hashable, Codable {
    /// Verifier keys.
    public let witnesses: [String]

    public init(witnesses: [String]) { self.witnesses = witnesses }
}

/// `GET /v1/audit/consistency?from=N&to=M`: RFC 6962's proof.
public struct ConsistencyReply: Sendable, Hashable, Codable {
    /// Records of the smaller log.
    public let from: UInt64
    /// Records of the larger log.
    public let to: UInt64
    /// base64
    public let hashes: [String]
    /// base64, of the first `from` records; the proof shows that it is theirs.
    public let root: String

    public init(from: UInt64, to: UInt64, hashes: [String], root: String) {
        self.from = from
        self.to = to
        self.hashes = hashes
        self.root = root
    }
}

/// `POST /v1/audit/publications`: a checkpoint left this machine.
public struct PublicationRequest: Sendable, Hashable, Codable {
    /// Characters of a destination.
    public static let longestDestination = 1024

    /// The signed note.
    public let checkpoint: String
    /// For people: a file's path, a command's name.
    public let destination: String

    public init(checkpoint: String, destination: String) {
        self.checkpoint = checkpoint
        self.destination = destination
    }
}

/// `GET /v1/audit/publications`: the checkpoints that left this machine, smallest first.
public struct PublicationsReply: Sendable, Hashable, Codable {
    public struct Publication: Sendable, Hashable, Codable {
        /// Records of the log.
        public let size: UInt64
        /// RFC 3339, UTC.
        public let time: String
        public let destination: String

        public init(size: UInt64, time: String, destination: String) {
            self.size = size
            self.time = time
            self.destination = destination
        }
    }

    /// A witness that cosigned a checkpoint of this size; verified with the configured keys.
    public struct Cosignature: Sendable, Hashable, Codable {
        /// Records of the log.
        public let size: UInt64
        /// Its key's name.
        public let witness: String
        /// Seconds since 1970, by the witness's clock.
        public let seconds: UInt64

        public init(size: UInt64, witness: String, seconds: UInt64) {
            self.size = size
            self.witness = witness
            self.seconds = seconds
        }
    }

    public let publications: [Publication]
    public let cosignatures: [Cosignature]

    public init(publications: [Publication], cosignatures: [Cosignature]) {
        self.publications = publications
        self.cosignatures = cosignatures
    }
}

/// The positions of the log that an answer to `GET /v1/audit/records` covers: as a field of its head `FIRST-LAST/SIZE`, or
/// `*/SIZE` for none. The next request continues after the last one.
public struct RecordSpan: Sendable, Hashable {
    public static let fieldName = "voicegate-record-span"
    /// Of a request by another program than VoiceGate's command: its filter may match few of all records.
    public static let longest: UInt64 = 16_384

    public let range: Range<UInt64>
    /// Records of the log.
    public let size: UInt64

    /// - Parameters:
    ///   - after: the index before the span; `nil`: from the beginning.
    ///   - fromEnd: whether the newest records are wanted; the span then ends with the log.
    ///   - isBounded: whether it has at most `longest` positions.
    public init(of size: UInt64, after: UInt64?, fromEnd: Bool = false, isBounded: Bool) {
        let start = min(after.map { $0 == .max ? $0 : $0 + 1 } ?? 0, size)
        let count = isBounded ? min(size - start, Self.longest) : size - start
        range = fromEnd ? size - count..<size : start..<start + count
        self.size = size
    }

    private init(_ range: Range<UInt64>, size: UInt64) { (self.range, self.size) = (range, size) }

    /// The span as a program is told it, that may not learn how much was recorded about others since: at the log's end, up to the last
    /// record that it reads; before that, without how much follows.
    ///
    /// - Parameter ends: the first position to tell, and the last record that the program reads; `nil`: it reads none.
    public func shown(ends: (first: UInt64, last: UInt64)?) -> RecordSpan {
        guard range.upperBound == size else { return RecordSpan(range, size: range.upperBound + 1) }
        guard let (first, last) = ends else { return RecordSpan(0..<0, size: 0) }
        return RecordSpan(first..<last + 1, size: last + 1)
    }

    public init?(text: String) {
        guard let match = text.wholeMatch(of: /(?:([0-9]+)-([0-9]+)|\*)\/([0-9]+)/), let size = UInt64(match.3) else {
            return nil
        }
        self.size = size
        guard let start = match.1, let end = match.2 else {
            range = size..<size
            return
        }
        guard let first = UInt64(start), let last = UInt64(end), first <= last, last < size else { return nil }
        range = first..<last + 1
    }

    public var text: String { (range.isEmpty ? "*" : "\(range.lowerBound)-\(range.upperBound - 1)") + "/\(size)" }
}
