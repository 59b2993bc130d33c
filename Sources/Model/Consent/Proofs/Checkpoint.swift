import Foundation

/// What a log was at one size, as text for a note: C2SP tlog-checkpoint, three lines `origin`, size, base64 of the root.
public struct Checkpoint: Sendable, Hashable {
    /// Which log; also the name of its keys.
    public let origin: String
    public let head: TreeHead

    public var size: UInt64 { head.size }
    public var root: MerkleHash { head.root }

    /// - Parameter log: the random name that a log gave itself in its first record.
    public static func origin(of log: String) -> String { "voicegate.local/log/" + log }

    /// - Returns: `nil` for an origin that is not a name of a key, a size over 2⁶³ − 1, or an empty tree with another root.
    public init?(origin: String, head: TreeHead) {
        guard KeyName.isValid(origin), head.size <= UInt64(Int64.max), head.size > 0 || head.root == .empty else {
            return nil
        }
        self.origin = origin
        self.head = head
    }

    /// - Returns: `nil` unless the text is what `text` writes. Extension lines, which others may write, are refused: this
    ///   log's checkpoints have none.
    public init?(text: String) {
        let lines = text.utf8.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
        guard lines.count == 4, lines[3].isEmpty, let origin = String(lines[0]),
            let size = String(lines[1]).flatMap({ UInt64($0) }), let root = MerkleHash(base64: lines[2])
        else { return nil }
        self.init(origin: origin, head: TreeHead(size: size, root: root))
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    /// The note's text, when one of the keys signed it and the checkpoint is that key's log's.
    ///
    /// - Returns: `nil` otherwise.
    public init?(_ note: SignedNote, signedBy verifiers: [NoteVerifier]) {
        self.init(text: note.text)
        guard !note.signers(among: logKeys(among: verifiers)).isEmpty else { return nil }
    }

    /// Those keys that are of the checkpoint's log.
    public func logKeys(among verifiers: [NoteVerifier]) -> [NoteVerifier] {
        verifiers.filter { $0.name == origin && $0.algorithm == .ed25519 }
    }

    /// With its last newline.
    public var text: String { "\(origin)\n\(size)\n\(root.base64)\n" }
}

/// One file that proves, without the log, that a record is in it: C2SP tlog-proof.
///
///     c2sp.org/tlog-proof@v1
///     extra <base64>            (only where there is some)
///     index 5
///     <base64 of each hash, from the leaf's sibling to the root's child>
///
///     <the signed checkpoint>
public struct OfflineProof: Sendable, Hashable {
    /// Bytes; what is larger is not parsed.
    public static let maximumSize = 4 << 20

    private static let header = "c2sp.org/tlog-proof@v1"
    private static let blankLine = Data("\n\n".utf8)

    public let inclusion: InclusionProof
    /// Not verified; `proves` does that.
    public let note: SignedNote
    /// The note's checkpoint, not verified.
    public let checkpoint: Checkpoint
    /// Not authenticated by the proof: where a record is proven alone, its line of `records.jsonl` without the newline.
    public let extra: Data?

    /// - Returns: `nil` when the note is not a checkpoint, or one of a tree of another size.
    public init?(_ inclusion: InclusionProof, in note: SignedNote, extra: Data? = nil) {
        guard let checkpoint = Checkpoint(text: note.text), checkpoint.size == inclusion.size else { return nil }
        self.inclusion = inclusion
        self.note = note
        self.checkpoint = checkpoint
        self.extra = extra
        guard data.count <= Self.maximumSize else { return nil }
    }

    /// - Returns: `nil` unless the bytes are what `data` writes.
    public init?(_ data: Data) {
        let data = Data(data)
        guard data.count <= Self.maximumSize, let blank = data.range(of: Self.blankLine),
            let note = SignedNote(data[blank.upperBound...]), let checkpoint = Checkpoint(text: note.text)
        else { return nil }
        var lines = data[..<blank.lowerBound].split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        guard let header = lines.popFirst(), header.elementsEqual(Self.header.utf8) else { return nil }
        var extra: Data?
        if let value = lines.first.flatMap({ Self.value(of: "extra", in: $0) }) {
            guard let bytes = StrictBase64.decode(value) else { return nil }
            extra = bytes
            lines.removeFirst()
        }
        guard let value = lines.popFirst().flatMap({ Self.value(of: "index", in: $0) }),
            let index = String(validating: value, as: UTF8.self).flatMap({ UInt64($0) })
        else { return nil }
        let hashes = lines.compactMap { MerkleHash(base64: $0) }
        guard hashes.count == lines.count,
            let inclusion = InclusionProof(index: index, size: checkpoint.size, hashes: hashes)
        else { return nil }
        self.init(inclusion, in: note, extra: extra)
        // One proof has one sequence of bytes: no leading zeros, for one.
        guard self.data == data else { return nil }
    }

    public var data: Data {
        var lines = [Self.header]
        if let extra { lines.append("extra \(extra.base64EncodedString())") }
        lines.append("index \(inclusion.index)")
        lines += inclusion.hashes.map(\.base64)
        return Data((lines.joined(separator: "\n") + "\n\n").utf8) + note.data
    }

    /// Whether one of the keys signed a checkpoint of a tree that has this leaf at this index.
    public func proves(_ leafHash: MerkleHash, signedBy verifiers: [NoteVerifier]) -> Bool {
        guard let signed = Checkpoint(note, signedBy: verifiers) else { return false }
        return inclusion.proves(leafHash, in: signed.head)
    }

    private static func value(of key: String, in line: Data) -> Data? {
        let start = Data("\(key) ".utf8)
        return line.starts(with: start) ? Data(line.dropFirst(start.count)) : nil
    }
}

/// A consistency proof with the checkpoint that it leads to, as a witness takes it: C2SP tlog-witness, `add-checkpoint`.
///
///     old 5
///     <base64 of each hash>
///
///     <the signed checkpoint>
public struct WitnessRequest: Sendable, Hashable {
    public let proof: ConsistencyProof
    public let note: SignedNote

    /// - Parameter note: a checkpoint of the proof's later size.
    public init(_ proof: ConsistencyProof, in note: SignedNote) {
        self.proof = proof
        self.note = note
    }

    /// - Returns: `nil` unless the bytes are what `data` writes.
    public init?(_ data: Data) {
        let data = Data(data)
        guard let blank = data.range(of: Data("\n\n".utf8)), let note = SignedNote(data[blank.upperBound...]),
            let checkpoint = Checkpoint(text: note.text)
        else { return nil }
        let lines = data[..<blank.lowerBound].split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let first = lines.first.flatMap({ String(validating: $0, as: UTF8.self) }), first.hasPrefix("old "),
            let from = UInt64(first.dropFirst(4))
        else { return nil }
        let hashes = lines.dropFirst().compactMap { MerkleHash(base64: $0) }
        guard hashes.count == lines.count - 1,
            let proof = ConsistencyProof(from: from, to: checkpoint.size, hashes: hashes)
        else { return nil }
        self.init(proof, in: note)
        guard self.data == data else { return nil }
    }

    /// - Parameter note: the checkpoint that the bytes must have, of a larger tree than that of the proof's earlier size.
    /// - Returns: `nil` unless the bytes are what `data` writes.
    public init?(_ data: Data, in note: SignedNote) {
        self.init(data)
        guard self.note == note, proof.from < proof.to else { return nil }
    }

    public var data: Data {
        let lines = ["old \(proof.from)"] + proof.hashes.map(\.base64)
        return Data((lines.joined(separator: "\n") + "\n\n").utf8) + note.data
    }
}
