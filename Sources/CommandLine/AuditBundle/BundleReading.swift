import AuditExport
import Consent
import Cryptography
import Foundation

/// A line of the list of files, as `sha256sum` writes it: 64 lower-case hexadecimal digits, two spaces, the path.
struct BundleSum {
    let digest: String
    let path: String

    /// - Returns: `nil` if the line is malformed.
    init?(line: Data) {
        guard line.count > 66, line.dropFirst(64).prefix(2).elementsEqual("  ".utf8),
            BundleLayout.isDigest(line.prefix(64)), let path = String(validating: line.dropFirst(66), as: UTF8.self)
        else { return nil }
        digest = String(decoding: line.prefix(64), as: UTF8.self)
        self.path = path
    }
}

/// The lines of a file, read in bounded memory.
struct BundleLines {
    let file: BundleFile
    /// Maximum bytes of a line, without its newline.
    let limit: Int
    /// Broken by a line that is too long, or a last one without a newline.
    let rule: BundleRule
    private var rest = Data()

    init(file: BundleFile, limit: Int, rule: BundleRule) {
        (self.file, self.limit, self.rule) = (file, limit, rule)
    }

    /// - Returns: the next line with its newline; `nil` after the last one.
    mutating func next() throws(BundleProblem) -> Data? {
        var searched = 0
        while true {
            if let end = rest.dropFirst(searched).firstIndex(of: 0x0A) {
                let line = rest[...end]
                guard line.count <= limit + 1 else { throw tooLong }
                rest = rest[rest.index(after: end)...]
                return Data(line)
            }
            searched = rest.count
            guard searched <= limit else { throw tooLong }
            let piece = try file.piece()
            if piece.isEmpty {
                try require(
                    rest.isEmpty, rule, file: file.path, "its last line has no newline; the file may be truncated")
                return nil
            }
            rest = rest + piece
        }
    }

    private var tooLong: BundleProblem {
        BundleProblem(rule, file: file.path, "it has a line of more than \(limit) bytes")
    }
}

/// Compares two sets of paths in constant memory, by the sum of a keyed hash of each path. The key is random for each check,
/// so that a bundle cannot be made with paths whose sums are equal.
struct PathFingerprint: Equatable {
    let key: SymmetricKey
    private(set) var lanes = SIMD4<UInt64>(repeating: 0)

    mutating func add(_ path: String) {
        let code = HMACSHA256.authenticationCode(for: path.utf8, using: key)
        var words = SIMD4<UInt64>()
        for (position, byte) in code.enumerated() {
            words[position / 8] = words[position / 8] << 8 | UInt64(byte)
        }
        lanes &+= words
    }
}
