import Foundation

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
        if let leaf = Self(present: data) {
            self = leaf
            return
        }
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

    /// Reads a leaf of the present schema by its fixed parts: a log has millions of them, and the general reader takes
    /// five times as long. Strict, because what is read must give the same bytes again.
    private init?(present data: Data) {
        let bytes = [UInt8](data)
        let (head, digestSize, index) = (#"{"_sd":[""#.utf8.count, 43, #""],"index":"#.utf8.count)
        let tail = #"","schema":2,"time":"2026-01-31T12:00:00.123Z"}"#.utf8.count
        let numberStart = head + digestSize + index
        let kindEnd = bytes.count - tail
        guard numberStart < kindEnd,
            let comma = bytes[numberStart..<kindEnd].firstIndex(of: UInt8(ascii: ",")),
            let number = String(validating: bytes[numberStart..<comma], as: UTF8.self).flatMap({ Int64($0) }),
            comma + #","kind":""#.utf8.count <= kindEnd,
            let kind = String(validating: bytes[(comma + #","kind":""#.utf8.count)..<kindEnd], as: UTF8.self),
            let digest = String(validating: bytes[head..<(head + digestSize)], as: UTF8.self),
            let time = String(validating: bytes[(bytes.count - 26)..<(bytes.count - 2)], as: UTF8.self)
                .flatMap({ Timestamp($0) })
        else { return nil }
        self.init(index: number, kind: RecordKind(rawValue: kind), time: time, digest: digest)
        guard self.data == data else { return nil }
    }

    var data: Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        bytes.append(contentsOf: #"{"_sd":["#.utf8)
        for (position, digest) in digests.enumerated() {
            bytes.append(contentsOf: (position > 0 ? ",\"" : "\"").utf8)
            bytes.append(contentsOf: digest.utf8)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(contentsOf: #"],"index":"#.utf8)
        bytes.append(contentsOf: String(index).utf8)
        bytes.append(contentsOf: #","kind":"#.utf8)
        JSONValue.quote(kind.rawValue, to: &bytes)
        bytes.append(contentsOf: #","schema":2,"time":""#.utf8)
        bytes.append(contentsOf: time.text.utf8)
        bytes.append(contentsOf: #""}"#.utf8)
        return Data(bytes)
    }
}
