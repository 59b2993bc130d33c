/// Some of the records that were asked for, oldest first.
public struct EntryPage: Sendable, Hashable {
    /// Entries of a full page.
    public static let size = 256

    public let entries: [AuditEntry]
    /// Where the next page goes on; `nil`: this is the last one.
    public let last: UInt64?
}
