import Foundation

/// Which packages an upload has: those of C2SP tlog-mirror's `add-entries`, or ours, in which each entry may come with its
/// disclosure.
///
///     log_origin_size  uint16, big-endian, and the log's origin
///     upload_start     uint64
///     upload_end       uint64
///     ticket_size      uint16, and the ticket
///     packages, each:
///         entries      each with its size as uint16
///         disclosures  (`records` alone) as many, each with its size as uint32; FFFFFFFF: withheld or erased
///         num_hashes   uint8, at most 63, and the hashes
///
/// A package ends at each multiple of 256 and at `upload_end`. Its hashes are the proof that the entries from the last
/// multiple of 256 to its end are a subtree of the tree of `upload_end`.
public enum UploadForm: Sendable {
    /// `application/octet-stream`
    case entries
    /// `application/vnd.voicegate.records`: the entries are leaves of records.
    case records

    public var mediaType: String {
        switch self {
        case .entries: "application/octet-stream"
        case .records: "application/vnd.voicegate.records"
        }
    }

    /// Bytes of an entry. A record's leaf has about 150.
    public var maximumEntrySize: Int {
        switch self {
        case .entries: Int(UInt16.max)
        case .records: 1024
        }
    }
}

/// What an upload begins with.
public struct UploadHead: Sendable, Hashable {
    public let origin: String
    /// From `upload_start` to `upload_end`, which is the size of a checkpoint that the receiver has.
    public let range: Range<UInt64>
    /// The receiver's own, at most 65,535 bytes.
    public let ticket: Data

    /// - Returns: `nil` for an origin that no log has, a size over 2⁶³ − 1, or a ticket that is too long.
    public init?(origin: String, range: Range<UInt64>, ticket: Data = Data()) {
        guard KeyName.isValid(origin), range.upperBound <= UInt64(Int64.max), ticket.count <= UInt16.max else {
            return nil
        }
        self.origin = origin
        self.range = range
        self.ticket = ticket
    }

    public var data: Data {
        var data = Data()
        data.append(UInt16(origin.utf8.count))
        data.append(contentsOf: origin.utf8)
        data.append(range.lowerBound)
        data.append(range.upperBound)
        data.append(UInt16(ticket.count))
        return data + ticket
    }

    /// The entries of the canonical package that begins at this index of the upload.
    public func package(at start: UInt64) -> Range<UInt64> {
        start..<min(range.upperBound, (start / EntryPackage.alignment + 1) * EntryPackage.alignment)
    }
}

/// Up to 256 consecutive entries with the proof that they are the log's.
public struct EntryPackage: Sendable, Hashable {
    public static let alignment: UInt64 = 256
    /// Bytes of all disclosures of a package, so that a receiver needs a bounded memory.
    public static let maximumDisclosed = 16 << 20

    /// Indexes of the entries.
    public let range: Range<UInt64>
    public let entries: [Data]
    /// Of each entry; `nil`: withheld or erased. Empty in `add-entries`.
    public let disclosures: [Data?]
    public let hashes: [MerkleHash]
    /// Of each entry.
    public let leafHashes: [MerkleHash]

    init(range: Range<UInt64>, entries: [Data], disclosures: [Data?], hashes: [MerkleHash]) {
        self.range = range
        self.entries = entries
        self.disclosures = disclosures
        self.hashes = hashes
        leafHashes = entries.map(MerkleHash.leaf)
    }

    /// - Parameters:
    ///   - start: index of the first entry.
    ///   - disclosures: one for each entry, or none at all for `add-entries`.
    ///   - proof: of `subtree(of:)`.
    /// - Returns: `nil` when this is not a canonical package, or something in it is too large.
    public init?(from start: UInt64, entries: [Data], disclosures: [Data?] = [], proof: SubtreeProof) {
        let form: UploadForm = disclosures.isEmpty ? .entries : .records
        let end = start + UInt64(entries.count)
        guard !entries.isEmpty, proof.subtree == Self.subtree(of: start..<end),
            proof.hashes.count <= SubtreeProof.maximumLength,
            disclosures.isEmpty || disclosures.count == entries.count,
            entries.allSatisfy({ $0.count <= form.maximumEntrySize }),
            disclosures.allSatisfy({ $0?.count ?? 0 <= JSONValue.maximumSize }),
            disclosures.reduce(0, { $0 + ($1?.count ?? 0) }) <= Self.maximumDisclosed
        else { return nil }
        self.init(range: start..<end, entries: entries, disclosures: disclosures, hashes: proof.hashes)
    }

    /// What a package of these entries proves: with them, those before them since the last multiple of 256.
    ///
    /// - Returns: `nil` when the range is not a canonical package's.
    public static func subtree(of range: Range<UInt64>) -> Range<UInt64>? {
        let start = range.lowerBound / alignment * alignment
        guard !range.isEmpty, range.upperBound - start <= alignment else { return nil }
        return start..<range.upperBound
    }

    /// The tree with the entries, if they are the log's.
    ///
    /// - Parameters:
    ///   - preceding: of the leaves from the last multiple of 256 to the first entry; see `Frontier.sinceAlignment`.
    ///   - head: of the upload's end.
    /// - Returns: `nil` if they are not.
    public func tree(after preceding: Frontier, provenIn head: TreeHead) -> Frontier? {
        guard let subtree = Self.subtree(of: range), preceding.size == range.lowerBound - subtree.lowerBound,
            let proof = SubtreeProof(of: subtree, in: head.size, hashes: hashes)
        else { return nil }
        var tree = preceding
        for hash in leafHashes { tree.append(hash) }
        return proof.proves(tree.root, in: head) ? tree : nil
    }

    /// Whether the entries are the log's; see `tree(after:provenIn:)`.
    public func isProven(after preceding: Frontier, in head: TreeHead) -> Bool {
        tree(after: preceding, provenIn: head) != nil
    }

    public var data: Data {
        var data = Data()
        for entry in entries {
            data.append(UInt16(entry.count))
            data.append(entry)
        }
        for disclosure in disclosures {
            data.append(disclosure.map { UInt32($0.count) } ?? Self.withheld)
            if let disclosure { data.append(disclosure) }
        }
        data.append(UInt8(hashes.count))
        for hash in hashes { data.append(hash.bytes) }
        return data
    }

    static let withheld = UInt32.max
}

extension Frontier {
    /// The tree of the leaves behind the last multiple of 256 alone: what the next package of an upload continues.
    public var sinceAlignment: Frontier {
        let size = size % EntryPackage.alignment
        let bytes = subtrees.suffix(size.nonzeroBitCount).reduce(into: Data()) { $0.append($1.bytes) }
        return Frontier(size: size, bytes: bytes) ?? Frontier()
    }
}

extension Data {
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
