import Cryptography
import Foundation

/// A recorded event with its index in the log. Coded as it is shown over the socket; see `line`.
public struct ConsentRecord: Recorded, Sendable, Hashable, Codable {
    public let index: UInt64
    public let kind: RecordKind
    public let time: Timestamp
    /// Empty if they were erased.
    public let fields: [String: JSONValue]
    /// Whether the leaf's disclosure is no longer stored.
    public let isErased: Bool

    /// Checks nothing.
    public init(index: UInt64, kind: RecordKind, time: Timestamp, fields: [String: JSONValue], isErased: Bool = false) {
        (self.index, self.kind, self.time, self.fields, self.isErased) = (index, kind, time, fields, isErased)
    }

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

    /// - Parameter disclosure: its text; `nil` if it was erased.
    /// - Throws: `RecordProblem` if leaf and disclosure do not match.
    public init(leaf: Data, disclosure: Data?) throws(RecordProblem) {
        try self.init(leaf: leaf, disclosures: disclosure.map { [$0] } ?? [], expected: nil)
    }

    private init(leaf data: Data, disclosures: [Data], expected: Int64?) throws(RecordProblem) {
        guard let leaf = RecordLeaf(data: data), let position = UInt64(exactly: leaf.index) else {
            throw RecordProblem(.leafAltered, expected, "its leaf is not a record that this version can read")
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
        self.init(
            index: position, kind: leaf.kind, time: leaf.time, fields: fields, isErased: disclosures.isEmpty)
    }

    /// One line of JSON: index, kind, time, fields (sorted by name), isErased.
    public var line: String {
        let members: [(String, JSONValue)] = [
            ("index", .integer(Int64(clamping: index))), ("kind", .string(kind.rawValue)), ("time", .string(time.text)),
            ("fields", .object(fields)), ("isErased", .boolean(isErased)),
        ]
        return "{" + members.map { "\"\($0)\":\($1.canonical)" }.joined(separator: ",") + "}"
    }
}

/// The part of a record that is hashed into the tree and never changes. It names no person.
///
/// Canonical JSON: `{"_sd":["…"],"index":0,"kind":"log.genesis","schema":2,"time":"…"}`, where `_sd` has the digest of
/// the record's disclosure. `schema` is always 2: 1 was never released.
public struct RecordLeaf: Sendable, Hashable {
    private static let schema: Int64 = 2
    private static let end = Array(#""}"#.utf8)

    public let index: Int64
    public let kind: RecordKind
    public let time: Timestamp
    /// Of the disclosure's text, as `Disclosure.digest` writes it; in a leaf that was read, any text.
    public let digest: String

    public var data: Data { Self.data(index: index, kind: kind, time: time.text, digest: digest) }

    /// The digest's 32 bytes; `nil` if it has none, which no log of VoiceGate writes.
    public var digestBytes: Data? { Base64URL.decode(digest).flatMap { $0.count == 32 ? $0 : nil } }

    static func data(index: Int64, kind: RecordKind, time: String, digest: String) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        bytes.append(contentsOf: #"{"_sd":[""#.utf8)
        bytes.append(contentsOf: digest.utf8)
        bytes.append(contentsOf: #""],"index":"#.utf8)
        bytes.append(contentsOf: String(index).utf8)
        bytes.append(contentsOf: #","kind":"#.utf8)
        JSONValue.quote(kind.rawValue, to: &bytes)
        bytes.append(contentsOf: #","schema":2,"time":""#.utf8)
        bytes.append(contentsOf: time.utf8)
        bytes.append(contentsOf: end)
        return Data(bytes)
    }

    /// Whether the bytes are the leaf of such a record, at any time.
    ///
    /// A log has millions of them: comparing with the expected bytes takes a tenth of the time of parsing.
    static func isLeaf(
        _ leaf: UnsafeRawBufferPointer, index: Int64, kind: UnsafeRawBufferPointer, disclosure: UnsafeRawBufferPointer
    ) -> Bool {
        var rest = Comparison(bytes: leaf)
        guard rest.skip(#"{"_sd":[""#), rest.skip(Disclosure.digest(of: disclosure)), rest.skip(#""],"index":"#),
            rest.skip(index), rest.skip(#","kind":""#), rest.skip(text: kind), rest.skip(#"","schema":2,"time":""#),
            rest.count == 26, leaf.suffix(2).elementsEqual(end)
        else { return false }
        return Timestamp(utf8: rest.prefix(24)) != nil
    }

    /// Compares bytes with what they should be, piece by piece.
    private struct Comparison {
        private var bytes: UnsafeRawBufferPointer

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        var count: Int { bytes.count }

        func prefix(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes.prefix(count)) }

        mutating func skip(_ text: StaticString) -> Bool {
            skip(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        /// Up to a quote; `nil` if it is not ASCII without escapes.
        mutating func text() -> String? {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\"")),
                bytes[..<end].allSatisfy({ $0 < 0x80 && !JSONValue.needsEscape($0) })
            else { return nil }
            defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[end...]) }
            return String(decoding: bytes[..<end], as: UTF8.self)
        }

        /// At most 18 digits without zeros before them.
        mutating func number() -> Int64? {
            let digits = bytes.prefix(19).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard (1...18).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
                return nil
            }
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(digits.count))
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }

        /// As JSON writes it, without the quotes around it.
        mutating func skip(text: UnsafeRawBufferPointer) -> Bool {
            guard text.contains(where: JSONValue.needsEscape) else { return text.isEmpty || skip(text) }
            var quoted: [UInt8] = []
            JSONValue.quote(String(decoding: text, as: UTF8.self), to: &quoted)
            return quoted[1..<(quoted.count - 1)].withUnsafeBytes { skip($0) }
        }

        mutating func skip(_ other: UnsafeRawBufferPointer) -> Bool {
            guard let start = bytes.baseAddress, let expected = other.baseAddress, bytes.count >= other.count,
                memcmp(start, expected, other.count) == 0
            else { return false }
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(other.count))
            return true
        }

        /// In decimal digits.
        mutating func skip(_ number: Int64) -> Bool {
            var text = String(number)
            return text.withUTF8 { skip(UnsafeRawBufferPointer($0)) }
        }

        /// In base64url.
        mutating func skip(_ digest: SHA256.Digest) -> Bool {
            digest.withUnsafeBytes { digest in
                let size = (digest.count * 4 + 2) / 3
                guard bytes.count >= size,
                    Base64URL.isText(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), of: digest)
                else { return false }
                bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(size))
                return true
            }
        }
    }
}

extension RecordLeaf {
    /// - Returns: `nil` if the bytes are not a leaf; from what it returns, `data` makes the same bytes again.
    public init?(data: Data) {
        if let leaf = data.withUnsafeBytes(Self.plain) {
            self = leaf
            return
        }
        guard let members = JSONValue(canonical: data)?.object, members.count == 5,
            members["schema"]?.integer == Self.schema, let index = members["index"]?.integer,
            let kind = members["kind"]?.string, let time = members["time"]?.string.flatMap(Timestamp.init),
            let digests = members["_sd"]?.array, digests.count == 1, let digest = digests[0].string
        else { return nil }
        self.init(index: index, kind: RecordKind(rawValue: kind), time: time, digest: digest)
    }

    /// A leaf whose kind and digest are ASCII without escapes, as all have that VoiceGate writes.
    ///
    /// - Returns: `nil` also for other leaves.
    private static func plain(_ bytes: UnsafeRawBufferPointer) -> RecordLeaf? {
        var rest = Comparison(bytes: bytes)
        guard rest.skip(#"{"_sd":[""#), let digest = rest.text(), rest.skip(#""],"index":"#), let index = rest.number(),
            rest.skip(#","kind":""#), let kind = rest.text(), rest.skip(#"","schema":2,"time":""#), rest.count == 26,
            bytes.suffix(2).elementsEqual(end), let time = Timestamp(utf8: rest.prefix(24))
        else { return nil }
        return RecordLeaf(index: index, kind: RecordKind(rawValue: kind), time: time, digest: digest)
    }

    /// - Parameter digestBytes: SHA-256 of the disclosure's text.
    public init(index: Int64, kind: RecordKind, time: Timestamp, digestBytes: Data) {
        self.init(index: index, kind: kind, time: time, digest: Base64URL.encode(digestBytes))
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
    /// 16 bytes.
    public let salt: Data
    public let text: Data

    public init(_ fields: [String: JSONValue]) {
        var generator = SystemRandomNumberGenerator()
        self.init(fields, salt: withUnsafeBytes(of: (generator.next(), generator.next())) { Data($0) })
    }

    /// The disclosure that these fields have with a salt that is known.
    ///
    /// - Parameter salt: 16 bytes.
    public init(_ fields: [String: JSONValue], salt: Data) {
        self.fields = fields
        self.salt = salt
        text = Data(JSONValue.array([.string(Base64URL.encode(salt)), .object(fields)]).canonicalBytes)
    }

    /// - Returns: `nil` if the text is not a disclosure.
    public init?(text: Data) {
        guard text.count <= JSONValue.maximumSize, let parts = JSONValue(canonical: text)?.array, parts.count == 2,
            let salt = parts[0].string, salt.utf8.count == Self.saltTextSize, let salt = Base64URL.decode(salt),
            let fields = parts[1].object
        else { return nil }
        self.fields = fields
        self.salt = salt
        self.text = text
    }

    public var digest: String { Self.digest(of: text) }

    /// base64url of the SHA-256 of the text.
    public static func digest(of text: Data) -> String {
        text.withUnsafeBytes { digest(of: $0).withUnsafeBytes { Base64URL.encode($0) } }
    }

    static func digest(of text: UnsafeRawBufferPointer) -> SHA256.Digest {
        var hash = SHA256()
        hash.update(bufferPointer: text)
        return hash.finalize()
    }
}
