import Authorization
import Foundation

/// Which records to read.
public struct AuditFilter: Sendable, Hashable {
    /// Only what happened then or later.
    public var since: Date?
    /// Only what happened before.
    public var until: Date?
    /// At most this many, the last ones that match.
    public var limit: Int?
    /// Only records whose field `client` is this one.
    public var client: ClientIdentifier?
    /// Only records about this person: their pseudonym (field `subject`) or their user number (field `user`), as text.
    public var subject: String?
    /// Only records about this user, by number, and the records that each verifier needs: its beginning, its keys and
    /// its published checkpoints. Unlike `subject` it is a bound and not a wish.
    public var owner: UInt32?
    /// Without those about monitors that notify the person, and their listening: a bound for programs.
    public var excludesNotifying = false

    public init(
        since: Date? = nil, until: Date? = nil, limit: Int? = nil, client: ClientIdentifier? = nil,
        subject: String? = nil, owner: UInt32? = nil
    ) {
        self.since = since
        self.until = until
        self.limit = limit
        self.client = client
        self.subject = subject
        self.owner = owner
    }

    /// Whether the record matches every value that is set; `limit` is the reader's.
    public func admits(_ record: ConsentRecord) -> Bool {
        if let owner, record[.user] != owner,
            ![.genesis, .keyRotated, .checkpointPublished].contains(record.kind)
        {
            return false
        }
        if excludesNotifying, record[.action] == .notify { return false }
        return RightsScope(client: client, subject: subject, since: since, before: until).admits(record)
    }
}

/// A record with the bytes that were hashed, for verification outside of the log. One line of `records.jsonl`.
public struct AuditEntry: Sendable, Hashable, Codable {
    /// The leaf's canonical JSON; its RFC 6962 leaf hash is SHA-256(00 ‖ UTF-8 of this text).
    public let leaf: String
    /// The text whose SHA-256 is in the leaf's `_sd` in base64url; empty if it was erased.
    public let disclosures: [String]
    /// The inclusion proof's hashes in base64, from the leaf to the root, if requested.
    public let proof: [String]?

    public init(leaf: String, disclosures: [String], proof: [String]? = nil) {
        self.leaf = leaf
        self.disclosures = disclosures
        self.proof = proof
    }

    init(_ stored: StoredRecord, proof: [String]? = nil) {
        self.init(
            leaf: String(decoding: stored.leaf, as: UTF8.self),
            disclosures: stored.disclosed.map { [String(decoding: $0, as: UTF8.self)] } ?? [], proof: proof)
    }

    /// An entry whose leaf is kept in parts.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the disclosure.
    ///   - disclosure: its text; `nil`: it is not kept.
    public init(
        index: UInt64, kind: RecordKind, time: Timestamp, digest: Data, disclosure: Data?, proof: [String]? = nil
    ) {
        let leaf = RecordLeaf(
            index: Int64(clamping: index), kind: kind, time: time, digest: Base64URL.encode(digest))
        self.init(
            leaf: String(decoding: leaf.data, as: UTF8.self),
            disclosures: disclosure.map { [String(decoding: $0, as: UTF8.self)] } ?? [], proof: proof)
    }

    /// - Returns: `nil` unless the bytes are what `line` writes.
    public init?(line: Data, limit: Int) {
        guard line.last == 0x0A, let members = JSONValue(canonical: line.dropLast(), limit: limit)?.object,
            members.count == 2, let leaf = members["leaf"]?.string, let disclosures = members["disclosures"]?.array,
            disclosures.count <= 1, disclosures.allSatisfy({ $0.string != nil })
        else { return nil }
        self.init(leaf: leaf, disclosures: disclosures.compactMap(\.string))
    }

    /// The entry without its proof as canonical JSON and a newline.
    public var line: String {
        JSONValue.object(["disclosures": .texts(disclosures), "leaf": .string(leaf)]).canonical + "\n"
    }

    /// RFC 6962's hash of the leaf.
    public var leafHash: MerkleHash { .leaf(Data(leaf.utf8)) }
}

/// Some of the records that were asked for, oldest first.
public struct EntryPage: Sendable, Hashable {
    /// Entries of a full page.
    public static let size = 256

    public let entries: [AuditEntry]
    /// The index of the page's last entry, to request the next page with; `nil`: this is the last page.
    public let last: UInt64?
}
