import Foundation

/// A witness's word that at a time a checkpoint was the newest it knew of the log, and consistent with all before:
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
    /// - Returns: `nil` when the signature is none of this form.
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
