import Consent
import Foundation

/// The names and bounds of the files in a bundle.
enum BundleLayout {
    static let sums = "SHA256SUMS"
    static let sumsNote = "SHA256SUMS.note"
    static let keys = "log.vkey"
    static let checkpoint = "checkpoint"
    static let records = "records.jsonl"
    static let scope = "scope.json"
    static let noticesFolder = "notices"
    static let proofsFolder = "proofs"

    /// Not in the list of files: the list itself, and what signs it.
    static let unlisted: Set<String> = [sums, sumsNote]
    /// A checkpoint's origin with this is the first line of the note that signs the list of files.
    static let sumsSuffix = "/export"

    /// Bytes; room for 500 keys.
    static let maximumKeys = 64 * 1024
    static let maximumScope = 64 * 1024
    /// Bytes of one record's line: three fields of 1 MiB with every character escaped are more than any record has.
    static let maximumLine = 8 << 20
    /// Bytes of one line in the list of files: hash, two spaces, path.
    static let maximumSumsLine = 64 + 2 + maximumPath
    static let maximumPath = 255
    /// Bytes; a log of a hundred million records takes less.
    static let maximumFile: Int64 = 256 << 30

    static func proof(of index: UInt64) -> String { "\(proofsFolder)/\(index).tlog-proof" }

    /// Whether a path stays in the bundle: letters, digits, `.`, `-` and `_`, at most one folder deep, nothing hidden.
    static func isSafe(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return path.utf8.count <= maximumPath && parts.count <= 2
            && parts.allSatisfy(isName)
    }

    private static func isName(_ part: Substring.UTF8View) -> Bool {
        guard let first = part.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
        return part.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// `scope.json`: what the bundle covers. Members that are not named here are for people.
struct BundleScope: Decodable {
    /// The checkpoint's origin.
    let log: String
    /// The checkpoint's size.
    let size: UInt64
    /// Whether all records are there, so that the root can be worked out from them.
    let whole: Bool
}

/// A line of the list of files, as `sha256sum` writes it: 64 lower-case hexadecimal digits, two spaces, the path.
struct BundleSum {
    /// 32 bytes.
    let digest: Data
    let path: String

    /// - Parameter line: without its end.
    /// - Returns: `nil` when it is no such line.
    init?(line: Data) {
        guard line.count > 66, line.dropFirst(64).prefix(2).elementsEqual("  ".utf8),
            let digest = Self.digest(of: line.prefix(64)),
            let path = String(validating: line.dropFirst(66), as: UTF8.self)
        else { return nil }
        self.digest = digest
        self.path = path
    }

    /// - Returns: `nil` unless there are 64 lower-case hexadecimal digits.
    static func digest(of text: some Collection<UInt8>) -> Data? {
        let digits = text.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count == 64, text.count == 64 else { return nil }
        return Data(stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}

/// The lines of a file of a bundle, one after the other, in bounded memory.
struct BundleLines {
    private let file: BundleFile
    /// Bytes of a line without its end.
    private let limit: Int
    private var rest = Data()

    init(_ file: BundleFile, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// - Returns: the next line without its end; `nil` after the last one.
    /// - Throws: `BundleProblem` when a line is too long, or the last one has no end.
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
                    throw BundleProblem(.malformed, file: file.path, "its last line has no end; it may be cut off")
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
