import Base
import Cryptography
import Foundation

/// A key that signs notes. Ed25519 is deterministic: the same text gives the same signature.
public struct NoteSigner: Sendable, CustomStringConvertible {
    public static let seedSize = Ed25519.keySize

    public let name: String
    private let key: Ed25519.PrivateKey

    /// - Parameter seed: 32 secret bytes.
    /// - Returns: `nil` for a name that a key cannot have, or a seed of another size.
    public init?(name: String, seed: Data) {
        guard KeyName.isValid(name), let key = try? Ed25519.PrivateKey(seed: seed) else { return nil }
        self.name = name
        self.key = key
    }

    /// A new key.
    ///
    /// - Returns: `nil` for a name that a key cannot have.
    public init?(name: String) {
        self.init(name: name, seed: SymmetricKey().withUnsafeBytes { Data($0) })
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
        let seed = Data([NoteAlgorithm.ed25519.rawValue]) + key.seed
        return "PRIVATE+KEY+\(name)+\(NoteVerifier.hexadecimal(verifier.keyIdentifier))+\(seed.base64EncodedString())"
    }

    /// Names the key, never its secret.
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
        NoteVerifier(name: name, algorithm: algorithm, publicKey: key.publicKey)
    }
}

/// The public part of a key that signs notes, as text `name+key identifier in hexadecimal+base64(type ‖ public key)`
/// (C2SP signed-note's vkey).
public struct NoteVerifier: Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let algorithm: NoteAlgorithm
    /// 32 bytes.
    public let publicKey: Data
    public let keyIdentifier: UInt32

    public init(name: String, algorithm: NoteAlgorithm, publicKey: Data) {
        self.name = name
        self.algorithm = algorithm
        self.publicKey = publicKey
        keyIdentifier = algorithm.keyIdentifier(name: name, publicKey: publicKey)
    }

    /// - Returns: `nil` unless the text is what `text` writes, and for keys of other kinds.
    public init?(text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "+"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = String(parts[0]), KeyName.isValid(name),
            let key = StrictBase64.decode(parts[2]), key.count == 33, let type = key.first,
            let algorithm = NoteAlgorithm(rawValue: type)
        else { return nil }
        self.init(name: name, algorithm: algorithm, publicKey: Data(key.dropFirst()))
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    public var text: String {
        let key = Data([algorithm.rawValue]) + publicKey
        return "\(name)+\(Self.hexadecimal(keyIdentifier))+\(key.base64EncodedString())"
    }

    public var description: String { text }

    /// Whether the signature is this key's, over this text.
    public func verifies(_ signature: NoteSignature, of text: String) -> Bool {
        guard signature.name == name, signature.keyIdentifier == keyIdentifier else { return false }
        switch algorithm {
        case .ed25519:
            return Ed25519.isValid(signature.signature, of: Data(text.utf8), publicKey: publicKey)
        case .cosignature:
            guard let cosignature = Cosignature(signature) else { return false }
            return Ed25519.isValid(
                cosignature.signature, of: Cosignature.message(text, at: cosignature.time), publicKey: publicKey)
        }
    }

    static func hexadecimal(_ keyIdentifier: UInt32) -> String {
        Hexadecimal.encode((0..<4).map { UInt8(truncatingIfNeeded: keyIdentifier >> (24 - 8 * UInt32($0))) })
    }
}

extension NoteVerifier {
    /// Reads a file of verifier keys, one a line: `log.vkey` of a bundle.
    ///
    /// - Returns: `nil` when a line is not a verifier key.
    public static func list(_ data: Data) -> [NoteVerifier]? {
        let lines = data.split(separator: 0x0A)
        let keys = lines.compactMap { String(validating: $0, as: UTF8.self).flatMap(NoteVerifier.init(text:)) }
        return keys.count == lines.count ? keys : nil
    }
}

/// How a note's signature was made: the type bytes of C2SP's signed-note that are used here.
public enum NoteAlgorithm: UInt8, Sendable, Hashable {
    /// Ed25519 over the text: the log's own signature.
    case ed25519 = 0x01
    /// Ed25519 over a time and the text: a witness's cosignature (C2SP tlog-cosignature).
    case cosignature = 0x04

    /// The first four bytes of SHA-256(name ‖ 0x0A ‖ type ‖ public key), big-endian.
    func keyIdentifier(name: String, publicKey: Data) -> UInt32 {
        var hash = SHA256()
        hash.update(data: name.utf8)
        hash.update(data: [0x0A, rawValue])
        hash.update(data: publicKey)
        return hash.finalize().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The name of a note's key, which for a log's own key is also its origin.
enum KeyName {
    static let maximumLength = 255

    /// C2SP signed-note: not empty, no Unicode spaces, no plus. Control characters would break the note's lines, and those
    /// that change the direction of text would show another name than the one that signed.
    static func isValid(_ name: String) -> Bool {
        (1...maximumLength).contains(name.utf8.count) && name.unicodeScalars.allSatisfy(isValid)
    }

    private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isWhitespace && scalar != "+"
        }
    }
}
