import Foundation

/// The part of a record that is hashed into the tree and never changes. It names no person.
///
/// Canonical JSON: `{"_sd":[…],"index":0,"kind":"log.genesis","previous":"…","schema":1,"time":"…"}`, where `_sd` holds
/// the sorted digests of the record's disclosures and `previous` the base64 of the root of the tree before this leaf.
struct RecordLeaf: Sendable, Hashable {
    static let schema: Int64 = 1

    let index: Int64
    let kind: RecordKind
    let time: Timestamp
    let previous: MerkleHash
    let digests: [String]

    init(index: Int64, kind: RecordKind, time: Timestamp, previous: MerkleHash, disclosures: [Disclosure]) {
        self.index = index
        self.kind = kind
        self.time = time
        self.previous = previous
        self.digests = disclosures.map(\.digest).sorted()
    }

    /// - Returns: `nil` when the bytes are no leaf of this schema.
    init?(data: Data) {
        guard case .object(let members)? = JSONValue(canonical: data), members.count == 6,
            members["schema"] == .integer(Self.schema), let index = members["index"]?.integer,
            let kind = members["kind"]?.string, let time = members["time"]?.string.flatMap(Timestamp.init),
            let root = members["previous"]?.string.flatMap({ Data(base64Encoded: $0) }),
            let previous = MerkleHash(bytes: root), let digests = members["_sd"]?.array
        else { return nil }
        self.index = index
        self.kind = RecordKind(rawValue: kind)
        self.time = time
        self.previous = previous
        self.digests = digests.compactMap(\.string)
        guard self.digests.count == digests.count else { return nil }
    }

    var data: Data {
        let object = JSONValue.object([
            "_sd": .array(digests.map(JSONValue.string)),
            "index": .integer(index),
            "kind": .string(kind.rawValue),
            "previous": .string(previous.base64),
            "schema": .integer(Self.schema),
            "time": .string(time.text),
        ])
        return Data(object.canonical.utf8)
    }
}
