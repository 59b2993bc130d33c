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
