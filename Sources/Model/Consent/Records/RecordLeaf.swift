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
