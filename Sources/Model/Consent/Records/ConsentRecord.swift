import Crypto
import Foundation

/// A thing that happened, with its place in the log.
public struct ConsentRecord: Sendable, Hashable {
    public let index: UInt64
    public let kind: RecordKind
    public let time: Timestamp
    /// Root of the tree before this record, which records of schema 1 name.
    let previous: MerkleHash?
    /// The fields that were not erased.
    public let fields: [String: JSONValue]
    /// How many disclosures are committed to but not there any more; since schema 2 a record has one for all fields.
    public let missingDisclosures: Int

    public var isErased: Bool { missingDisclosures > 0 }
}

extension ConsentRecord {
    /// Puts a stored record together again.
    ///
    /// This checks everything that can be told of a record alone: its index, its kind, and each disclosure against the
    /// digests in the leaf.
    init(_ stored: StoredRecord) throws(RecordProblem) {
        try self.init(leaf: stored.leaf, disclosures: stored.disclosures, expected: stored.index)
        guard kind.rawValue == stored.kind else {
            throw RecordProblem(.leafAltered, stored.index, "it is filed as another kind than its leaf names")
        }
    }

    /// - Throws: `RecordProblem` when leaf and disclosures do not fit.
    public init(_ entry: AuditEntry) throws(RecordProblem) {
        try self.init(
            leaf: Data(entry.leaf.utf8), disclosures: entry.disclosures.map { Data($0.utf8) }, expected: nil)
    }

    private init(leaf data: Data, disclosures: [Data], expected: Int64?) throws(RecordProblem) {
        guard let leaf = RecordLeaf(data: data), let position = UInt64(exactly: leaf.index) else {
            throw RecordProblem(.leafAltered, expected, "its leaf is no record that this version can read")
        }
        let index = expected ?? leaf.index
        guard leaf.index == index else {
            throw RecordProblem(.indexWrong, index, "its leaf was written for place \(leaf.index)")
        }
        var open = Set(leaf.digests)
        var fields: [String: JSONValue] = [:]
        for text in disclosures {
            guard open.remove(Disclosure.digest(of: text)) != nil, let disclosure = Disclosure(text: text) else {
                throw RecordProblem(.disclosureAltered, index, "it has a field that its leaf does not vouch for")
            }
            if fields.isEmpty {
                fields = disclosure.fields
            } else {
                fields.merge(disclosure.fields) { $1 }
            }
        }
        self.init(
            index: position, kind: leaf.kind, time: leaf.time, previous: leaf.previous, fields: fields,
            missingDisclosures: open.count)
    }
}

/// The part of a record that is hashed into the tree and never changes. It names no person.
///
/// Canonical JSON: `{"_sd":["…"],"index":0,"kind":"log.genesis","schema":2,"time":"…"}`, where `_sd` holds the digest of
/// the record's disclosure. Schema 1 had a digest a field, sorted, and `previous`, the base64 of the root of the tree
/// before the leaf, which the tree itself says.
struct RecordLeaf: Sendable, Hashable {
    static let schema: Int64 = 2

    let index: Int64
    let kind: RecordKind
    let time: Timestamp
    /// Of schema 1 alone.
    let previous: MerkleHash?
    let digests: [String]

    init(index: Int64, kind: RecordKind, time: Timestamp, digest: String) {
        self.index = index
        self.kind = kind
        self.time = time
        previous = nil
        digests = [digest]
    }

    /// - Returns: `nil` when the bytes are no leaf of a known schema.
    init?(data: Data) {
        guard let members = JSONValue(canonical: data)?.object, let schema = members["schema"]?.integer,
            members.count == (schema == 1 ? 6 : 5), let index = members["index"]?.integer,
            let kind = members["kind"]?.string, let time = members["time"]?.string.flatMap(Timestamp.init),
            let digests = members["_sd"]?.array
        else { return nil }
        self.index = index
        self.kind = RecordKind(rawValue: kind)
        self.time = time
        self.digests = digests.compactMap(\.string)
        switch schema {
        case 1:
            guard let root = members["previous"]?.string.flatMap(MerkleHash.init(base64:)) else { return nil }
            previous = root
            guard self.digests == Set(self.digests).sorted() else { return nil }
        case Self.schema:
            previous = nil
            guard self.digests.count == 1 else { return nil }
        default: return nil
        }
        guard self.digests.count == digests.count else { return nil }
    }

    var data: Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        Self.write(index, kind.rawValue, to: &bytes) { bytes in
            for (position, digest) in digests.enumerated() {
                bytes.append(contentsOf: (position > 0 ? ",\"" : "\"").utf8)
                bytes.append(contentsOf: digest.utf8)
                bytes.append(UInt8(ascii: "\""))
            }
        }
        bytes.append(contentsOf: time.text.utf8)
        bytes.append(contentsOf: Self.end)
        return Data(bytes)
    }

    /// Whether the bytes are the leaf of the present schema that such a record has, whatever its time is.
    ///
    /// A log has millions of them: all but the time is known beforehand, and comparing takes a tenth of what reading does.
    static func isLeaf(_ data: Data, index: Int64, kind: String, disclosure: Data) -> Bool {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        write(index, kind, to: &bytes) { bytes in
            bytes.append(UInt8(ascii: "\""))
            Disclosure.appendDigest(of: disclosure, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
        let leaf = [UInt8](data)
        guard leaf.count == bytes.count + 24 + end.count, leaf.starts(with: bytes),
            leaf.suffix(end.count).elementsEqual(end)
        else { return false }
        return Timestamp(utf8: leaf[bytes.count..<(bytes.count + 24)]) != nil
    }

    private static let end = Array(#""}"#.utf8)

    /// Everything before the time.
    private static func write(
        _ index: Int64, _ kind: String, to bytes: inout [UInt8], digests: (inout [UInt8]) -> Void
    ) {
        bytes.append(contentsOf: #"{"_sd":["#.utf8)
        digests(&bytes)
        bytes.append(contentsOf: #"],"index":"#.utf8)
        bytes.append(contentsOf: String(index).utf8)
        bytes.append(contentsOf: #","kind":"#.utf8)
        JSONValue.quote(kind, to: &bytes)
        bytes.append(contentsOf: #","schema":2,"time":""#.utf8)
    }
}

/// The fields of a record, kept apart from the record's leaf so that they can be erased: the way of RFC 9901.
///
/// The leaf holds only the digest of the text; the salt keeps anyone who has the leaf from finding the fields by trying.
/// The text is the canonical JSON array `["<salt>",{…}]` (RFC 9901, section 4.2.2, but hashed as it is, not in base64url,
/// so that every tool can read it). Records of schema 1 have one text a field, `base64url(["<salt>","<name>",<value>])`
/// (section 4.2.1).
public struct Disclosure: Sendable, Hashable {
    public static let saltSize = 16
    /// In base64url without padding.
    private static let saltTextSize = 22

    public let fields: [String: JSONValue]
    public let text: Data

    public init(_ fields: [String: JSONValue]) {
        self.fields = fields
        var generator = SystemRandomNumberGenerator()
        let salt = withUnsafeBytes(of: (generator.next(), generator.next())) { Data($0) }
        text = Data(JSONValue.array([.string(Base64URL.encode(salt)), .object(fields)]).canonicalBytes)
    }

    /// - Returns: `nil` when the text is no disclosure as one of the schemas writes it.
    public init?(text: Data) {
        let isWhole = text.first == UInt8(ascii: "[")
        guard text.count <= JSONValue.maximumSize,
            let json = isWhole ? text : Base64URL.decode(String(decoding: text, as: UTF8.self)),
            let parts = JSONValue(canonical: json)?.array, let salt = parts.first?.string,
            salt.utf8.count == Self.saltTextSize, Base64URL.decode(salt) != nil
        else { return nil }
        if isWhole, parts.count == 2, let fields = parts[1].object {
            self.fields = fields
        } else if !isWhole, parts.count == 3, let name = parts[1].string {
            fields = [name: parts[2]]
        } else {
            return nil
        }
        self.text = text
    }

    public var digest: String { Self.digest(of: text) }

    /// base64url of the SHA-256 of the text.
    public static func digest(of text: Data) -> String {
        var bytes: [UInt8] = []
        appendDigest(of: text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the digest's UTF-8.
    static func appendDigest(of text: Data, to bytes: inout [UInt8]) {
        var hash = SHA256()
        text.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.finalize().withUnsafeBytes { Base64URL.append($0, to: &bytes) }
    }
}
