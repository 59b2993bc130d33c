import Consent
import Foundation

/// The names and the maximum sizes of the files in a bundle; Documentation/Bundle.md has the rules.
public enum BundleLayout {
    /// The number of the rules, in `scope.json`.
    public static let version: Int64 = 1

    public static let checkpoint = "checkpoint"
    public static let keys = "log.vkey"
    public static let records = "records.jsonl"
    public static let scope = "scope.json"
    public static let sums = "SHA256SUMS"
    public static let sumsNote = "SHA256SUMS.note"
    static let accesses = "accesses.csv"
    static let decisions = "decisions.csv"
    static let linkedData = "consent.jsonld"
    static let report = "report.html"
    static let readme = "README.txt"

    /// Files that are made from the records and the scope alone.
    public static let derived: Set<String> = [accesses, decisions, linkedData, report, readme]
    /// Files that every bundle has.
    public static let required: Set<String> = derived.union([checkpoint, keys, records, scope, sums, sumsNote])
    /// Files that are not in the list of files.
    public static let unlisted: Set<String> = [sums, sumsNote]

    /// The folders, each of files named by a number or a digest.
    public enum Folder: String, Sendable, CaseIterable {
        /// Texts that were shown, by their SHA-256.
        case notices
        /// In a part of a log, the proof of each record, by its index.
        case proofs
        /// In a part of a log, proofs that it continues smaller ones, by their sizes.
        case consistency
    }

    public static func proof(of index: UInt64) -> String { "\(Folder.proofs)/\(index).tlog-proof" }
    public static func consistency(from size: UInt64) -> String { "\(Folder.consistency)/\(size)" }
    /// - Parameter digest: SHA-256 in hexadecimal.
    public static func notice(_ digest: String) -> String { "\(Folder.notices)/\(digest).txt" }

    /// The first line of the signed list of files is the log's origin with this suffix.
    public static let sumsSuffix = "/export"

    /// Bytes of one record; more than a leaf and a disclosure of 1 MiB with every character escaped.
    public static let maximumLine = 8 << 20
    /// Bytes of one line in the list of files: hash, two spaces, path.
    public static let maximumSumsLine = 64 + 2 + 255

    /// The maximum bytes of a file.
    public static func limit(of path: String) -> Int {
        switch path {
        case checkpoint, keys, scope, sumsNote: SignedNote.maximumSize
        case _ where path.contains("/"): 1 << 20
        // More than a log of a hundred million records.
        default: 256 << 30
        }
    }

    /// Whether a bundle may have a file of this name.
    public static func isFile(_ path: String) -> Bool { required.contains(path) || folder(of: path) != nil }

    /// The folder of a file that has one of these folders' names.
    public static func folder(of path: String) -> Folder? {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let folder = Folder(rawValue: String(parts[0])) else { return nil }
        let name = parts[1].prefix { $0 != "." }
        let expected: String? =
            switch folder {
            case .notices: isDigest(name.utf8) ? notice(String(name)) : nil
            case .proofs: index(name).map(proof)
            case .consistency: index(name).flatMap { $0 > 0 ? consistency(from: $0) : nil }
            }
        // Not Swift's equality of texts, which different bytes may have.
        return expected?.utf8.elementsEqual(path.utf8) == true ? folder : nil
    }

    /// Whether there are 64 lower-case hexadecimal digits.
    public static func isDigest(_ text: some Collection<UInt8>) -> Bool {
        text.count == 64 && text.allSatisfy(digits.contains)
    }

    private static func index(_ text: some StringProtocol) -> UInt64? {
        text.utf8.count <= 19 ? UInt64(text) : nil
    }

    private static let digits = Set("0123456789abcdef".utf8)
}
