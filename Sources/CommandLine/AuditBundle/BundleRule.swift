import Base

/// The rules of a bundle, by their names on Documentation/Bundle.md, in the order in which they are checked.
public enum BundleRule: String, Sendable, Hashable, CaseIterable {
    /// The folder or a file can be read.
    case readable = "F1"
    /// Only regular files, in the folder or one folder below it.
    case regularFiles = "F2"
    /// No other names than those of a bundle.
    case names = "F3"
    case required = "F4"
    case sizes = "F5"
    case keys = "K1"
    case checkpoint = "C1"
    case checkpointSigned = "C2"
    /// The required witnesses have cosigned the checkpoint.
    case cosigned = "C3"
    case scope = "S1"
    /// The scope's log and size are the checkpoint's.
    case scopeFits = "S2"
    case line = "R1"
    case leaf = "R2"
    /// A record's fields have the digest that is in its leaf.
    case fields = "R3"
    /// A whole log's records are all there, in order.
    case complete = "R4"
    /// A part's records are in order, and below the checkpoint's size.
    case order = "R5"
    case genesis = "R6"
    /// A whole log's records yield the checkpoint's root.
    case root = "R7"
    /// In a whole log, fields are missing only where a later record reports their erasure.
    case erasure = "R8"
    /// The newest key that the records name signed the checkpoint and the list of files.
    case currentKey = "R9"
    /// A proof for each record of a part, and no other.
    case proofs = "P1"
    case proof = "P2"
    case proven = "P3"
    case consistency = "P4"
    /// The notices are those of the records.
    case notices = "N1"
    case list = "D1"
    case listSigned = "D2"
    /// `SHA256SUMS` is the list that was signed.
    case listDigest = "D3"
    case listLines = "D4"
    /// Each file is in the list, and each file of the list is there.
    case listed = "D5"
    case digests = "D6"
    /// Report, tables and JSON-LD are what the records give.
    case derived = "G1"
    /// A held checkpoint is a signed checkpoint of this log.
    case held = "H1"
    /// The newest key at its size signed a held checkpoint.
    case heldKey = "H2"
    /// The bundle has what a held checkpoint is compared with.
    case comparable = "H3"
    /// The log of a held checkpoint is not the log of the bundle.
    case contradicts
}

/// Why a bundle does not verify.
public struct BundleProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public let rule: BundleRule
    /// Path in the bundle; `nil` for the folder itself.
    public let file: String?
    public let record: UInt64?
    /// The end of a sentence.
    public let reason: String

    public init(_ rule: BundleRule, file: String? = nil, record: UInt64? = nil, _ reason: String) {
        (self.rule, self.file, self.record, self.reason) = (rule, file, record, reason)
    }

    /// One line that is safe to display: names and origins come from the author of the bundle.
    public var description: String {
        let file = file.map { DisplayText.cleaned($0, limit: 200) }
        let reason = DisplayText.cleaned(reason, limit: 1_000)
        return switch (file, record) {
        case (let file?, let record?): "\(file), record \(record): \(reason)."
        case (let file?, nil): "\(file): \(reason)."
        case (nil, let record?): "Record \(record): \(reason)."
        case (nil, nil): "The bundle: \(reason)."
        }
    }
}

/// - Throws: unless it is met.
func require(
    _ isMet: Bool, _ rule: BundleRule, file: String? = nil, record: UInt64? = nil, _ reason: @autoclosure () -> String
) throws(BundleProblem) {
    if !isMet { throw BundleProblem(rule, file: file, record: record, reason()) }
}

/// - Throws: unless there is a value.
func require<Value>(
    _ value: Value?, _ rule: BundleRule, file: String? = nil, record: UInt64? = nil,
    _ reason: @autoclosure () -> String
) throws(BundleProblem) -> Value {
    if let value { return value }
    throw BundleProblem(rule, file: file, record: record, reason())
}
