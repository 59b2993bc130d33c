import Consent
import Cryptography
import Foundation

/// What retention dropped of a log's records, signed with the collector's key:
///
///     <the log's origin>/tombstone
///     before 2026-10-01T00:00:00.000Z
///     made 2026-11-25T12:00:00.000Z
///     records 0 5000 <base64 of the SHA-256 over the leaf hashes>
///
/// The leaf hashes stay, so that a copy without these records still yields the root that the machine signed.
public struct Tombstone: Sendable, Hashable {
    /// Consecutive records.
    public struct Dropped: Sendable, Hashable {
        public let range: Range<UInt64>
        /// SHA-256 over their leaf hashes.
        public let digest: Data

        public init(range: Range<UInt64>, digest: Data) {
            self.range = range
            self.digest = digest
        }
    }

    public static let suffix = "/tombstone"
    /// A note of more would be larger than a signed note can be.
    public static let mostRanges = 500

    public let origin: String
    /// Records of this time and later stay.
    public let before: Timestamp
    public let madeAt: Timestamp
    /// In order.
    public let dropped: [Dropped]

    public init(origin: String, before: Timestamp, madeAt: Timestamp, dropped: [Dropped]) {
        self.origin = origin
        self.before = before
        self.madeAt = madeAt
        self.dropped = dropped
    }

    /// - Returns: `nil` unless the text is what `text` writes.
    public init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count >= 5, lines.last == "", lines[0].hasSuffix(Self.suffix), lines[1].hasPrefix("before "),
            let before = Timestamp(String(lines[1].dropFirst(7))), lines[2].hasPrefix("made "),
            let madeAt = Timestamp(String(lines[2].dropFirst(5)))
        else { return nil }
        let dropped = lines[3..<(lines.count - 1)].compactMap { line -> Dropped? in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 4, words[0] == "records", let first = UInt64(words[1]), let end = UInt64(words[2]),
                first < end, let digest = Data(base64Encoded: String(words[3])), digest.count == 32
            else { return nil }
            return Dropped(range: first..<end, digest: digest)
        }
        self.init(
            origin: String(lines[0].dropLast(Self.suffix.count)), before: before, madeAt: madeAt, dropped: dropped)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    public var text: String {
        let ranges = dropped.map {
            "records \($0.range.lowerBound) \($0.range.upperBound) \($0.digest.base64EncodedString())\n"
        }
        return "\(origin)\(Self.suffix)\nbefore \(before.text)\nmade \(madeAt.text)\n" + ranges.joined()
    }

    /// The tombstone of a log in a note that one of the keys signed.
    ///
    /// - Returns: `nil` otherwise.
    public init?(_ note: SignedNote, of origin: String, signedBy keys: [NoteVerifier]) {
        self.init(text: note.text)
        guard self.origin == origin, !note.signers(among: keys.filter { $0.algorithm == .ed25519 }).isEmpty else {
            return nil
        }
    }
}

/// The SHA-256 over leaf hashes, as a tombstone has it.
public struct LeafDigest {
    private var hash = SHA256()

    public init() {}

    public mutating func add(_ leaf: MerkleHash) { hash.update(data: leaf.bytes) }

    public var value: Data { Data(hash.finalize()) }
}

extension NoteVerifier {
    /// The key that signs notes, of a key that cosigns: both have one secret.
    public var signingKey: NoteVerifier { NoteVerifier(name: name, algorithm: .ed25519, publicKey: publicKey) }
}
