import Foundation

/// What a log was at one size, as text for a note: C2SP tlog-checkpoint, three lines `origin`, size, base64 of the root.
public struct Checkpoint: Sendable, Hashable {
    /// Which log; also the name of its keys.
    public let origin: String
    public let head: TreeHead

    public var size: UInt64 { head.size }
    public var root: MerkleHash { head.root }

    /// - Returns: `nil` for an origin that is no name of a key, a size over 2⁶³ − 1, or an empty tree with another root.
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
        let origin = origin
        let keys = verifiers.filter { $0.name == origin && $0.algorithm == .ed25519 }
        guard !note.signers(among: keys).isEmpty else { return nil }
    }

    /// With its last newline.
    public var text: String { "\(origin)\n\(size)\n\(root.base64)\n" }
}
