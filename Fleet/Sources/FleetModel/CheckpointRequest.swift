import Consent
import Foundation

/// The body of `add-checkpoint` (https://c2sp.org/tlog-witness), as a witness reads it: everything that it can refuse is
/// told apart.
///
///     old 5
///     <base64 of each hash>
///
///     <the signed checkpoint>
public struct CheckpointRequest: Sendable, Hashable {
    /// Bytes of a body.
    public static let maximumSize = SignedNote.maximumSize + 4096
    /// More proof lines than that are not a request.
    public static let maximumHashes = 63

    public let old: UInt64
    public let hashes: [MerkleHash]
    public let note: SignedNote
    /// Not verified.
    public let checkpoint: Checkpoint

    public enum Problem: Error, Sendable, Hashable {
        /// The body has another form.
        case malformed
        /// The checkpoint of no records has another root than the empty tree.
        case emptyTreeWithRoot(SignedNote, origin: String)
    }

    public init(_ body: Data) throws(Problem) {
        guard body.count <= Self.maximumSize, let blank = body.range(of: Data("\n\n".utf8)),
            let note = SignedNote(body[blank.upperBound...]),
            let lines = String(validating: body[..<blank.lowerBound], as: UTF8.self)?
                .split(separator: "\n", omittingEmptySubsequences: false),
            let first = lines.first, first.hasPrefix("old "), let old = UInt64(first.dropFirst(4)),
            String(old) == first.dropFirst(4), lines.count <= 1 + Self.maximumHashes
        else { throw .malformed }
        let hashes = lines.dropFirst().compactMap { MerkleHash(base64: String($0)) }
        guard hashes.count == lines.count - 1 else { throw .malformed }
        guard let checkpoint = Checkpoint(text: note.text) else {
            let text = note.text.split(separator: "\n", omittingEmptySubsequences: false)
            guard text.count == 4, text[1] == "0", MerkleHash(base64: String(text[2])) != nil else { throw .malformed }
            throw .emptyTreeWithRoot(note, origin: String(text[0]))
        }
        self.old = old
        self.hashes = hashes
        self.note = note
        self.checkpoint = checkpoint
    }

    /// Whether the checkpoint's log begins with what was accepted before.
    ///
    /// - Parameter last: of the checkpoint of size `old`; of the empty tree if there is none.
    public func isConsistent(with last: TreeHead) -> Bool {
        ConsistencyProof(from: old, to: checkpoint.size, hashes: hashes)?
            .proves(last, isBeginningOf: checkpoint.head) == true
    }
}
