/// An export of records, as it is written down.
public struct ExportDescription: Sendable, Hashable {
    /// What was exported; an empty scope is the whole log.
    public let scope: RightsScope
    /// `bundle`, `jsonl`, `csv`, `jsonld`, `html`, `apple` or `backup`.
    public let format: String
    /// SHA-256 of the file, of a bundle's `SHA256SUMS` or a backup's database; lower-case hexadecimal.
    public let sha256: String
    /// Records that the log had.
    public let size: UInt64
    public let caller: Caller

    public init(scope: RightsScope, format: String, sha256: String, size: UInt64, by caller: Caller) {
        self.scope = scope
        self.format = format
        self.sha256 = sha256
        self.size = size
        self.caller = caller
    }
}
