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
