import Crypto
import Foundation

/// The public part of a key that signs notes, as text `name+key identifier in hexadecimal+base64(type ‖ public key)`
/// (C2SP signed-note's vkey).
public struct NoteVerifier: Sendable, Hashable, CustomStringConvertible {
    public let name: String
    public let algorithm: NoteAlgorithm
    /// 32 bytes.
    public let publicKey: Data
    public let keyIdentifier: UInt32

    init(name: String, algorithm: NoteAlgorithm, publicKey: Data) {
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
        case .ed25519: return isValid(signature.signature, for: Data(text.utf8))
        case .cosignature:
            guard let cosignature = Cosignature(signature) else { return false }
            return isValid(cosignature.signature, for: Cosignature.message(text, at: cosignature.time))
        }
    }

    static func hexadecimal(_ keyIdentifier: UInt32) -> String {
        Hexadecimal.encode((0..<4).map { UInt8(truncatingIfNeeded: keyIdentifier >> (24 - 8 * UInt32($0))) })
    }

    private func isValid(_ signature: Data, for message: Data) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}
