import Crypto
import Foundation

/// A recorded event with its index in the log.
public struct ConsentRecord: Sendable, Hashable {
    public let index: UInt64
    public let kind: RecordKind
    public let time: Timestamp
    /// Empty if they were erased.
    public let fields: [String: JSONValue]
    /// Whether the leaf's disclosure is no longer stored.
    public let isErased: Bool

    /// Checks everything that a record shows by itself: its index, its kind, and its disclosure against the leaf's digest.
    init(_ stored: StoredRecord) throws(RecordProblem) {
        try self.init(leaf: stored.leaf, disclosures: stored.disclosed.map { [$0] } ?? [], expected: stored.index)
        guard kind.rawValue == stored.kind else {
            throw RecordProblem(.leafAltered, stored.index, "it is filed as another kind than its leaf names")
        }
    }

    /// - Throws: `RecordProblem` if leaf and disclosure do not match.
    public init(_ entry: AuditEntry) throws(RecordProblem) {
        try self.init(
            leaf: Data(entry.leaf.utf8), disclosures: entry.disclosures.map { Data($0.utf8) }, expected: nil)
    }

    private init(leaf data: Data, disclosures: [Data], expected: Int64?) throws(RecordProblem) {
        guard let leaf = RecordLeaf(data: data), let position = UInt64(exactly: leaf.index) else {
            throw RecordProblem(.leafAltered, expected, "its leaf is no record that this version can read")
        }
        if let expected, leaf.index != expected {
            throw RecordProblem(.indexWrong, expected, "its leaf was written for index \(leaf.index)")
        }
        var fields: [String: JSONValue] = [:]
        if let text = disclosures.first {
            guard disclosures.count == 1, Disclosure.digest(of: text) == leaf.digest,
                let disclosure = Disclosure(text: text)
            else { throw RecordProblem(.disclosureAltered, leaf.index, "its fields do not match its leaf's digest") }
            fields = disclosure.fields
        }
        index = position
        kind = leaf.kind
        time = leaf.time
        self.fields = fields
        isErased = disclosures.isEmpty
    }
}

/// The part of a record that is hashed into the tree and never changes. It names no person.
///
/// Canonical JSON: `{"_sd":["…"],"index":0,"kind":"log.genesis","schema":2,"time":"…"}`, where `_sd` has the digest of
/// the record's disclosure. `schema` is always 2: 1 was never released.
struct RecordLeaf: Sendable, Hashable {
    private static let schema: Int64 = 2
    private static let end = Array(#""}"#.utf8)

    let index: Int64
    let kind: RecordKind
    let time: Timestamp
    let digest: String

    var data: Data {
        var bytes = Self.start(index, kind.rawValue) { $0.append(contentsOf: digest.utf8) }
        bytes.append(contentsOf: time.text.utf8)
        bytes.append(contentsOf: Self.end)
        return Data(bytes)
    }

    /// Whether the bytes are the leaf of such a record, at any time.
    ///
    /// A log has millions of them: comparing with the expected bytes takes a tenth of the time of parsing.
    static func isLeaf(_ data: Data, index: Int64, kind: String, disclosure: Data) -> Bool {
        let bytes = start(index, kind) { Disclosure.appendDigest(of: disclosure, to: &$0) }
        let leaf = [UInt8](data)
        guard leaf.count == bytes.count + 24 + end.count, leaf.starts(with: bytes),
            leaf.suffix(end.count).elementsEqual(end)
        else { return false }
        return Timestamp(utf8: leaf[bytes.count..<(bytes.count + 24)]) != nil
    }

    /// Everything before the time.
    private static func start(_ index: Int64, _ kind: String, digest: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        bytes.append(contentsOf: #"{"_sd":[""#.utf8)
        digest(&bytes)
        bytes.append(contentsOf: #""],"index":"#.utf8)
        bytes.append(contentsOf: String(index).utf8)
        bytes.append(contentsOf: #","kind":"#.utf8)
        JSONValue.quote(kind, to: &bytes)
        bytes.append(contentsOf: #","schema":2,"time":""#.utf8)
        return bytes
    }
}

extension RecordLeaf {
    /// - Returns: `nil` if the bytes are no leaf.
    init?(data: Data) {
        guard let members = JSONValue(canonical: data)?.object, members.count == 5,
            members["schema"]?.integer == Self.schema, let index = members["index"]?.integer,
            let kind = members["kind"]?.string, let time = members["time"]?.string.flatMap(Timestamp.init),
            let digests = members["_sd"]?.array, digests.count == 1, let digest = digests[0].string
        else { return nil }
        self.init(index: index, kind: RecordKind(rawValue: kind), time: time, digest: digest)
    }
}

/// The fields of a record, kept apart from the record's leaf so that they can be erased, as in RFC 9901.
///
/// The leaf has only the digest of the text; the salt prevents guessing the fields from the leaf. The text is the
/// canonical JSON array `["<salt>",{…}]` (RFC 9901, section 4.2.2, but hashed as it is, not in base64url, so that every
/// tool can read it).
public struct Disclosure: Sendable, Hashable {
    /// 16 bytes in base64url without padding.
    private static let saltTextSize = 22

    public let fields: [String: JSONValue]
    public let text: Data

    public init(_ fields: [String: JSONValue]) {
        self.fields = fields
        var generator = SystemRandomNumberGenerator()
        let salt = withUnsafeBytes(of: (generator.next(), generator.next())) { Data($0) }
        text = Data(JSONValue.array([.string(Base64URL.encode(salt)), .object(fields)]).canonicalBytes)
    }

    /// - Returns: `nil` if the text is no disclosure.
    public init?(text: Data) {
        guard text.count <= JSONValue.maximumSize, let parts = JSONValue(canonical: text)?.array, parts.count == 2,
            let salt = parts[0].string, salt.utf8.count == Self.saltTextSize, Base64URL.decode(salt) != nil,
            let fields = parts[1].object
        else { return nil }
        self.fields = fields
        self.text = text
    }

    public var digest: String { Self.digest(of: text) }

    /// base64url of the SHA-256 of the text.
    public static func digest(of text: Data) -> String {
        var bytes: [UInt8] = []
        appendDigest(of: text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the digest's UTF-8.
    static func appendDigest(of text: Data, to bytes: inout [UInt8]) {
        var hash = SHA256()
        text.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.finalize().withUnsafeBytes { Base64URL.append($0, to: &bytes) }
    }
}
