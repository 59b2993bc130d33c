import Foundation

/// One signature line of a note: `— name base64(key identifier ‖ signature)`.
public struct NoteSignature: Sendable, Hashable {
    public let name: String
    public let keyIdentifier: UInt32
    /// As the algorithm writes it; for Ed25519 64 bytes, for a cosignature 8 of the time before them.
    public let signature: Data

    private static let dash = Data("— ".utf8)

    init(name: String, keyIdentifier: UInt32, signature: Data) {
        self.name = name
        self.keyIdentifier = keyIdentifier
        self.signature = signature
    }

    /// - Parameter line: without its end.
    /// - Returns: `nil` when it is no signature line.
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
    var line: String {
        let bytes = Data((0..<4).map { UInt8(truncatingIfNeeded: keyIdentifier >> (24 - 8 * UInt32($0))) }) + signature
        return "— \(name) \(bytes.base64EncodedString())\n"
    }
}
