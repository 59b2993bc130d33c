import Consent
import Foundation

/// The names and the maximum sizes of the files in a bundle.
enum BundleLayout {
    static let sums = "SHA256SUMS"
    static let sumsNote = "SHA256SUMS.note"
    static let keys = "log.vkey"
    static let checkpoint = "checkpoint"
    static let records = "records.jsonl"
    static let scope = "scope.json"
    static let noticesFolder = "notices"
    static let proofsFolder = "proofs"

    /// Files that are not in the list of files.
    static let unlisted: Set<String> = [sums, sumsNote]
    /// The first line of the signed list of files is the log's origin with this suffix.
    static let sumsSuffix = "/export"

    /// Bytes; enough for 500 keys.
    static let maximumKeys = 64 * 1024
    static let maximumScope = 64 * 1024
    /// Bytes of one record; more than three fields of 1 MiB with every character escaped.
    static let maximumLine = 8 << 20
    /// Bytes of one line in the list of files: hash, two spaces, path.
    static let maximumSumsLine = 64 + 2 + maximumPath
    static let maximumPath = 255
    /// Bytes; more than a log of a hundred million records.
    static let maximumFile: Int64 = 256 << 30

    static func proof(of index: UInt64) -> String { "\(proofsFolder)/\(index).tlog-proof" }

    /// Whether a path is inside the bundle: letters, digits, `.`, `-` and `_`, at most one folder deep, not hidden.
    static func isSafe(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return path.utf8.count <= maximumPath && parts.count <= 2
            && parts.allSatisfy(isName)
    }

    private static func isName(_ part: Substring.UTF8View) -> Bool {
        guard let first = part.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
        return part.allSatisfy(plain.contains)
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)
}

/// `scope.json`: the records in the bundle. Other members are informative.
struct BundleScope: Decodable {
    /// The checkpoint's origin.
    let log: String
    /// The checkpoint's size.
    let size: UInt64
    /// Whether all records are included, so that they yield the root.
    let whole: Bool
}

/// A line of the list of files, as `sha256sum` writes it: 64 lower-case hexadecimal digits, two spaces, the path.
struct BundleSum {
    let digest: String
    let path: String

    /// - Returns: `nil` if the line is malformed.
    init?(line: Data) {
        guard line.count > 66, line.dropFirst(64).prefix(2).elementsEqual("  ".utf8),
            let digest = Self.digest(of: line.prefix(64)),
            let path = String(validating: line.dropFirst(66), as: UTF8.self)
        else { return nil }
        self.digest = digest
        self.path = path
    }

    /// - Returns: `nil` unless there are 64 lower-case hexadecimal digits.
    static func digest(of text: some Collection<UInt8>) -> String? {
        guard text.count == 64, text.allSatisfy(digits.contains) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Set("0123456789abcdef".utf8)
}

/// The lines of a file, read in bounded memory.
struct BundleLines {
    let file: BundleFile
    /// Maximum bytes of a line, without its newline.
    let limit: Int
    private(set) var rest = Data()

    /// - Returns: the next line without its newline; `nil` after the last one.
    /// - Throws: `BundleProblem` if a line is too long, or the last one has no newline.
    mutating func next() throws(BundleProblem) -> Data? {
        var searched = 0
        while true {
            if let end = rest.dropFirst(searched).firstIndex(of: 0x0A) {
                let line = rest[..<end]
                guard line.count <= limit else { throw tooLong }
                rest = rest[rest.index(after: end)...]
                return Data(line)
            }
            searched = rest.count
            guard searched <= limit else { throw tooLong }
            let piece = try file.piece()
            if piece.isEmpty {
                guard rest.isEmpty else {
                    throw BundleProblem(
                        .malformed, file: file.path, "its last line has no newline; the file may be truncated")
                }
                return nil
            }
            rest = rest + piece
        }
    }

    private var tooLong: BundleProblem {
        BundleProblem(.tooLarge, file: file.path, "it has a line of more than \(limit) bytes")
    }
}
