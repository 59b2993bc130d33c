// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

/// `POST /v1/audit/exports`: an export that was made, to be recorded.
public struct ExportRequest: Sendable, Hashable, Codable {
    public var format: String
    /// SHA-256 of the file, or of a bundle's `SHA256SUMS`; lower-case hexadecimal.
    public var sha256: String
    /// Records of the log.
    public var size: UInt64
    /// The records it was limited to.
    public var client: String?
    /// UTC, with milliseconds.
    public var since: Date?
    /// UTC, with milliseconds.
    public var until: Date?
    /// A pseudonym or a user's number.
    public var subject: String?

    public init(
        format: String, sha256: String, size: UInt64, client: String? = nil, since: Date? = nil, until: Date? = nil,
        subject: String? = nil
    ) {
        (self.format, self.sha256, self.size, self.client, self.since) = (format, sha256, size, client, since)
        (self.until, self.subject) = (until, subject)
    }
}

/// `POST /v1/audit/exports`
public struct ExportReply: Sendable, Hashable, Codable {
    /// The record of the export.
    public var record: UInt64
    /// A signed note over `<origin>/export` and the SHA-256; absent if the log has no key.
    public var signature: String?

    public init(record: UInt64, signature: String? = nil) { (self.record, self.signature) = (record, signature) }
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
        (self.folder, self.records, self.sha256) = (folder, records, sha256)
    }
}

/// `POST /v1/audit/erasures`: erases the fields of the records that match all of this, and what is kept of their
/// sessions. `GET` with the same in its query only reports what that would be. Only VoiceGate's own command may call
/// it, and erase only in the foreground.
public struct RecordErasureRequest: Sendable, Hashable, Codable {
    public var client: String?
    /// UTC, with milliseconds.
    public var before: Date?
    /// UUID.
    public var session: String?
    /// The user's number. Absent: the caller's; only root can erase another user's.
    public var user: UInt32?

    public init(client: String? = nil, before: Date? = nil, session: String? = nil, user: UInt32? = nil) {
        (self.client, self.before, self.session, self.user) = (client, before, session, user)
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

        public init(records: Int, reason: KeepingReason, command: String? = nil) {
            (self.records, self.reason, self.command) = (records, reason, command)
        }
    }

    /// Records whose fields were erased. Their leaves stay in the tree, so that the other records can still be
    /// proven.
    public var records: Int
    /// Erased recordings, transcripts and profiles.
    public var items: Int
    public var kept: [Kept]
    /// UUID of the request, which its records name; absent if there was nothing to do yet.
    public var request: String?

    public init(records: Int, items: Int, kept: [Kept], request: String? = nil) {
        (self.records, self.items, self.kept, self.request) = (records, items, kept, request)
    }
}

/// Answer to `POST /v1/audit/checkpoint` and `POST /v1/audit/keys`.
public struct CheckpointReply: Sendable, Hashable, Codable {
    /// The signed note.
    public var checkpoint: String
    /// Verifier keys of the log, newest last.
    public var keys: [String]
    /// For each key but the last one: how many records the log had when it was replaced. It vouches for no larger
    /// checkpoint.
    public var retired: [UInt64]

    public init(checkpoint: String, keys: [String], retired: [UInt64]) {
        (self.checkpoint, self.keys, self.retired) = (checkpoint, keys, retired)
    }
}

/// `POST /v1/audit/cosignatures`; answered with a `CosignatureReply`.
public struct CosignatureRequest: Sendable, Hashable, Codable {
    /// A checkpoint of this log with the signatures of witnesses below it.
    public var checkpoint: String

    public init(checkpoint: String) { self.checkpoint = checkpoint }
}

/// The witnesses whose cosignatures were kept.
public struct CosignatureReply: Sendable, Hashable, Codable {
    /// Verifier keys.
    public var witnesses: [String]

    public init(witnesses: [String]) { self.witnesses = witnesses }
}

/// `GET /v1/audit/consistency?from=N&to=M`: RFC 6962's proof.
public struct ConsistencyReply: Sendable, Hashable, Codable {
    /// Records of the smaller log.
    public var from: UInt64
    /// Records of the larger log.
    public var to: UInt64
    /// base64
    public var hashes: [String]
    /// base64, of the first `from` records; the proof shows that it is theirs.
    public var root: String

    public init(from: UInt64, to: UInt64, hashes: [String], root: String) {
        (self.from, self.to, self.hashes, self.root) = (from, to, hashes, root)
    }
}

/// `POST /v1/audit/publications`: a checkpoint left this machine.
public struct PublicationRequest: Sendable, Hashable, Codable {
    /// The signed note.
    public var checkpoint: String
    /// For people: a file's path, a command's name.
    public var destination: String

    public init(checkpoint: String, destination: String) {
        (self.checkpoint, self.destination) = (checkpoint, destination)
    }
}

/// `GET /v1/audit/publications`: the checkpoints that left this machine, smallest first.
public struct PublicationsReply: Sendable, Hashable, Codable {
    public struct Publication: Sendable, Hashable, Codable {
        /// Records of the log.
        public var size: UInt64
        /// RFC 3339, UTC.
        public var time: String
        public var destination: String

        public init(size: UInt64, time: String, destination: String) {
            (self.size, self.time, self.destination) = (size, time, destination)
        }
    }

    /// A witness that cosigned a checkpoint of this size; verified with the configured keys.
    public struct Cosignature: Sendable, Hashable, Codable {
        /// Records of the log.
        public var size: UInt64
        /// Its key's name.
        public var witness: String
        /// Seconds since 1970, by the witness's clock.
        public var seconds: UInt64

        public init(size: UInt64, witness: String, seconds: UInt64) {
            (self.size, self.witness, self.seconds) = (size, witness, seconds)
        }
    }

    public var publications: [Publication]
    public var cosignatures: [Cosignature]

    public init(publications: [Publication], cosignatures: [Cosignature]) {
        (self.publications, self.cosignatures) = (publications, cosignatures)
    }
}

/// `GET /v1/log/collector`: who receives this machine's consent records.
public struct CollectorReply: Sendable, Hashable, Codable {
    public var url: String
    public var name: String
    public var purpose: String
    public var send: RecordCollector.Sending
    /// The log's name: that of its checkpoints and of its keys.
    public var origin: String
    /// Verifier keys, newest last.
    public var keys: [String]

    public init(
        url: String, name: String, purpose: String, send: RecordCollector.Sending, origin: String, keys: [String]
    ) {
        (self.url, self.name, self.purpose, self.send, self.origin) = (url, name, purpose, send, origin)
        self.keys = keys
    }
}

/// A line of `GET /v1/log/growth`.
public struct LogGrowthLine: Sendable, Hashable, Codable {
    /// Records that the newest signed checkpoint has.
    public var size: UInt64

    public init(size: UInt64) { self.size = size }
}
