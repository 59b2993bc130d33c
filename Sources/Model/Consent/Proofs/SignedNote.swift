import Foundation

/// A text and the signatures below it: C2SP signed-note.
///
/// The text must not be trusted before `signers(among:)` has returned a signer.
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
            Set(signatures.map(\.key)).count == signatures.count
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
        let others = signatures.filter { $0.key != signature.key }
        return SignedNote(text: text, signatures: others + [signature])
    }

    /// The note with the signatures of these keys alone.
    ///
    /// - Returns: `nil` when it has none of them.
    public func keeping(_ verifiers: [NoteVerifier]) -> SignedNote? {
        SignedNote(text: text, signatures: verifiers.compactMap(signature))
    }

    private static func isText(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A } }
}

extension SignedNote {
    /// Reads consecutive signed notes: a file that checkpoints were appended to.
    ///
    /// - Returns: `nil` when something in it is not a signed note, or a note's text has lines like signatures behind an empty
    ///   line, which no checkpoint has. Empty lines between notes are passed over.
    public static func list(_ data: Data) -> [SignedNote]? {
        var notes: [SignedNote] = []
        var lines: [Data] = []
        var hasSignature = false
        for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) + [Data()] {
            let isSignature = line.starts(with: NoteSignature.dash)
            if hasSignature, !isSignature {
                guard let note = SignedNote(Data(lines.flatMap { $0 + [0x0A] })) else { return nil }
                notes.append(note)
                lines = []
                hasSignature = false
            }
            if lines.isEmpty, line.isEmpty { continue }
            // Signatures begin behind an empty line; elsewhere such a line is text.
            hasSignature = isSignature && (hasSignature || lines.last?.isEmpty == true)
            lines.append(Data(line))
        }
        return lines.isEmpty ? notes : nil
    }
}

/// One signature line of a note: `— name base64(key identifier ‖ signature)`.
public struct NoteSignature: Sendable, Hashable {
    public let name: String
    public let keyIdentifier: UInt32
    /// As the algorithm writes it; for Ed25519 64 bytes, for a cosignature 8 of the time before them.
    public let signature: Data

    static let dash = Data("— ".utf8)

    /// The key that made it, as `name+identifier`; a name has no plus.
    var key: String { "\(name)+\(NoteVerifier.hexadecimal(keyIdentifier))" }

    init(name: String, keyIdentifier: UInt32, signature: Data) {
        self.name = name
        self.keyIdentifier = keyIdentifier
        self.signature = signature
    }

    /// - Parameter line: without its end.
    /// - Returns: `nil` when it is not a signature line.
    init?(line: Data) {
        guard line.starts(with: Self.dash) else { return nil }
        let words = line.dropFirst(Self.dash.count).split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2, let name = String(validating: words[0], as: UTF8.self), KeyName.isValid(name),
            let bytes = StrictBase64.decode(words[1]), bytes.count > 4
        else { return nil }
        self.name = name
        keyIdentifier = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        signature = Data(bytes.dropFirst(4))
    }

    /// With its end.
    public var line: String {
        let bytes = Data((0..<4).map { UInt8(truncatingIfNeeded: keyIdentifier >> (24 - 8 * UInt32($0))) }) + signature
        return "— \(name) \(bytes.base64EncodedString())\n"
    }
}

/// A witness's signature that a checkpoint was the newest of the log at a time, and consistent with all before:
/// C2SP tlog-cosignature, `cosignature/v1`.
public struct Cosignature: Sendable, Hashable {
    /// Seconds since 1970; at most 2⁶³ − 1.
    public let time: UInt64
    /// Ed25519's 64 bytes.
    public let signature: Data

    init(time: UInt64, signature: Data) {
        self.time = time
        self.signature = signature
    }

    /// Reads the time in big-endian order and the signature behind it; whether it verifies is `NoteVerifier`'s matter.
    ///
    /// - Returns: `nil` when the signature does not have this form.
    public init?(_ note: NoteSignature) {
        let bytes = note.signature
        guard bytes.count == 72 else { return nil }
        time = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        signature = Data(bytes.dropFirst(8))
        guard time <= UInt64(Int64.max) else { return nil }
    }

    var bytes: Data { Data((0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }) + signature }

    /// What is signed.
    static func message(_ text: String, at time: UInt64) -> Data { Data("cosignature/v1\ntime \(time)\n\(text)".utf8) }
}
