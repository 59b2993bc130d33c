import Crypto
import Foundation

/// How a note's signature was made: the type bytes of C2SP's signed-note that are used here.
public enum NoteAlgorithm: UInt8, Sendable, Hashable {
    /// Ed25519 over the text: the log's own signature.
    case ed25519 = 0x01
    /// Ed25519 over a time and the text: a witness's cosignature (C2SP tlog-cosignature).
    case cosignature = 0x04

    /// The first four bytes of SHA-256(name ‖ 0x0A ‖ type ‖ public key), big-endian.
    func keyIdentifier(name: String, publicKey: Data) -> UInt32 {
        var hash = SHA256()
        hash.update(data: Data(name.utf8))
        hash.update(data: [0x0A, rawValue])
        hash.update(data: publicKey)
        return hash.finalize().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
