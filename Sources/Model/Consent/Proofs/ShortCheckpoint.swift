import Cryptography
import Foundation

/// A checkpoint as a line to write down or to read out: the size, the first 80 bits of the root, and a word that shows
/// mistakes in copying.
///
///     1234 7h2k-9qxm-4abt-0zde lusab
///
/// The bits are in Crockford's base32 (no i, l, o or u); the word is 16 bits of SHA-256 over the rest, in alternating
/// consonants and vowels. No one can find other records with the bits of an existing line. An attacker who makes two logs
/// before the line is written can give both the same line with about 2⁴⁰ hashes; a whole checkpoint excludes that.
public struct ShortCheckpoint: Sendable, Hashable, CustomStringConvertible {
    private static let byteCount = 10
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")

    public let size: UInt64
    /// The first ten bytes of the root.
    private let bits: [UInt8]

    public init(_ head: TreeHead) {
        size = head.size
        bits = Array(head.root.bytes.prefix(Self.byteCount))
    }

    /// Reads a line in upper or lower case, with any spaces and hyphens between its parts, and with o for 0 and i or l
    /// for 1. Words before the size are passed over, so that a line of the system's journal can be pasted.
    ///
    /// - Returns: `nil` if it is not such a line, or its word does not match.
    public init?(_ line: String) {
        var words = line.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "–" }[...]
        guard words.count >= 3, let word = words.popLast() else { return nil }
        var code = ""
        while code.count < 16, let part = words.popLast() { code = part + code }
        let values = code.compactMap(Self.value)
        guard code.count == 16, values.count == 16, let size = words.last.flatMap({ UInt64($0) }), size > 0 else {
            return nil
        }
        self.size = size
        bits = stride(from: 0, to: 16, by: 8).flatMap { start in
            let number = values[start..<start + 8].reduce(UInt64(0)) { $0 << 5 | UInt64($1) }
            return (0..<5).map { UInt8(truncatingIfNeeded: number >> (32 - 8 * UInt64($0))) }
        }
        guard String(word) == self.word else { return nil }
    }

    /// Whether the root begins with the line's bits.
    public func matches(_ root: MerkleHash) -> Bool { root.bytes.starts(with: bits) }

    public var description: String { "\(size) \(code) \(word)" }

    /// Four groups of four digits.
    private var code: String {
        let digits = stride(from: 0, to: Self.byteCount, by: 5).flatMap { start in
            let number = bits[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (0..<8).map { Self.digits[Int(number >> (35 - 5 * UInt64($0)) & 31)] }
        }
        return stride(from: 0, to: 16, by: 4).map { String(digits[$0..<$0 + 4]) }.joined(separator: "-")
    }

    private var word: String {
        let digest = SHA256.hash(data: Data("voicegate checkpoint line\n\(size)\n".utf8) + Data(bits))
        let number = digest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        return String([
            Self.consonants[number >> 12], Self.vowels[number >> 10 & 3], Self.consonants[number >> 6 & 15],
            Self.vowels[number >> 4 & 3], Self.consonants[number & 15],
        ])
    }

    private static func value(_ digit: Character) -> Int? {
        switch digit {
        case "o": 0
        case "i", "l": 1
        default: digits.firstIndex(of: digit)
        }
    }
}
