import Crypto
import Foundation

/// A key that signs notes. Ed25519 is deterministic: the same text gives the same signature.
public struct NoteSigner: Sendable, CustomStringConvertible {
    public static let seedSize = 32

    public let name: String
    private let key: Curve25519.Signing.PrivateKey

    /// - Parameter seed: 32 bytes that nobody else knows.
    /// - Returns: `nil` for a name that a key cannot have, or a seed of another size.
    public init?(name: String, seed: Data) {
        guard KeyName.isValid(name), seed.count == Self.seedSize,
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        else { return nil }
        self.name = name
        self.key = key
    }

    /// A new key.
    ///
    /// - Returns: `nil` for a name that a key cannot have.
    public init?(name: String) {
        self.init(name: name, seed: Curve25519.Signing.PrivateKey().rawRepresentation)
    }

    /// - Returns: `nil` unless the text is what `secretText` writes.
    public init?(secretText: String) {
        let parts = secretText.utf8.split(separator: UInt8(ascii: "+"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let name = String(parts[2]), let key = StrictBase64.decode(parts[4]),
            key.first == NoteAlgorithm.ed25519.rawValue
        else { return nil }
        self.init(name: name, seed: Data(key.dropFirst()))
        guard self.secretText.utf8.elementsEqual(secretText.utf8) else { return nil }
    }

    /// The way of Go's `sumdb/note`: `PRIVATE+KEY+name+key identifier+base64(01 ‖ seed)`. For the key's own file alone.
    public var secretText: String {
        let seed = Data([NoteAlgorithm.ed25519.rawValue]) + key.rawRepresentation
        return "PRIVATE+KEY+\(name)+\(NoteVerifier.hexadecimal(verifier.keyIdentifier))+\(seed.base64EncodedString())"
    }

    /// Says whose key it is, never the key.
    public var description: String { "the key \(verifier)" }

    public var verifier: NoteVerifier { verifier(.ed25519) }

    /// Under which this key's cosignatures verify.
    public var witnessVerifier: NoteVerifier { verifier(.cosignature) }

    /// - Parameter text: with its last newline.
    /// - Returns: `nil` when a note cannot hold this text.
    public func sign(_ text: String) throws -> SignedNote? {
        let signature = NoteSignature(
            name: name, keyIdentifier: verifier.keyIdentifier, signature: try key.signature(for: Data(text.utf8)))
        return SignedNote(text: text, signatures: [signature])
    }

    /// What a witness puts below a checkpoint that it found consistent with all it saw before.
    ///
    /// - Parameters:
    ///   - text: of the checkpoint, with its last newline.
    ///   - time: seconds since 1970.
    public func cosign(_ text: String, at time: UInt64) throws -> NoteSignature {
        let cosignature = Cosignature(
            time: time, signature: try key.signature(for: Cosignature.message(text, at: time)))
        return NoteSignature(
            name: name, keyIdentifier: witnessVerifier.keyIdentifier, signature: cosignature.bytes)
    }

    private func verifier(_ algorithm: NoteAlgorithm) -> NoteVerifier {
        NoteVerifier(name: name, algorithm: algorithm, publicKey: key.publicKey.rawRepresentation)
    }
}
