import Foundation

/// A text and the signatures below it: C2SP signed-note.
///
/// The text is worth nothing before `signers(among:)` has named somebody.
public struct SignedNote: Sendable, Hashable {
    /// Bytes; what is larger is not parsed.
    public static let maximumSize = 64 * 1024
    public static let maximumSignatures = 64

    /// With its last newline; this is what signatures cover.
    public let text: String
    public private(set) var signatures: [NoteSignature]

    /// - Returns: `nil` when a note cannot hold this: the text does not end in a newline, has control characters, is too
    ///   large, or a key has signed twice.
    public init?(text: String, signatures: [NoteSignature]) {
        guard text.utf8.last == 0x0A, Self.isText(text.utf8), (1...Self.maximumSignatures).contains(signatures.count),
            Set(signatures.map(Signer.init)).count == signatures.count
        else { return nil }
        self.text = text
        self.signatures = signatures
        guard data.count <= Self.maximumSize else { return nil }
    }

    /// - Returns: `nil` unless the bytes are what `data` writes.
    public init?(_ data: Data) {
        let data = Data(data)
        guard data.count <= Self.maximumSize, data.last == 0x0A, Self.isText(data),
            let blank = data.range(of: Data("\n\n".utf8), options: .backwards)
        else { return nil }
        let lines = data[blank.upperBound...].dropLast().split(
            separator: 0x0A, maxSplits: Self.maximumSignatures, omittingEmptySubsequences: false)
        let signatures = lines.compactMap { NoteSignature(line: Data($0)) }
        guard signatures.count == lines.count, let text = String(validating: data[...blank.lowerBound], as: UTF8.self)
        else { return nil }
        self.init(text: text, signatures: signatures)
    }

    /// As it is stored and sent.
    public var data: Data { Data((text + "\n" + signatures.map(\.line).joined()).utf8) }

    /// Whose signature the note bears.
    ///
    /// - Returns: empty also when one of these keys has a signature below the note that does not verify: such a note is
    ///   rejected as a whole. Signatures of other keys are passed over.
    public func signers(among verifiers: [NoteVerifier]) -> [NoteVerifier] {
        var signers: [NoteVerifier] = []
        for verifier in verifiers {
            guard let signature = signature(of: verifier) else { continue }
            guard verifier.verifies(signature, of: text) else { return [] }
            signers.append(verifier)
        }
        return signers
    }

    /// The signature that claims to be this key's; not checked.
    public func signature(of verifier: NoteVerifier) -> NoteSignature? {
        signatures.first { $0.name == verifier.name && $0.keyIdentifier == verifier.keyIdentifier }
    }

    /// The note with another signature, in place of one of the same key.
    ///
    /// - Returns: `nil` when it would become too large.
    public func adding(_ signature: NoteSignature) -> SignedNote? {
        let others = signatures.filter { Signer($0) != Signer(signature) }
        return SignedNote(text: text, signatures: others + [signature])
    }

    /// The note with the signatures of these keys alone.
    ///
    /// - Returns: `nil` when it has none of them.
    public func keeping(_ verifiers: [NoteVerifier]) -> SignedNote? {
        SignedNote(text: text, signatures: verifiers.compactMap(signature))
    }

    private static func isText(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A } }

    private struct Signer: Hashable {
        let name: String
        let keyIdentifier: UInt32

        init(_ signature: NoteSignature) {
            name = signature.name
            keyIdentifier = signature.keyIdentifier
        }
    }
}
