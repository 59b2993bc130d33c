/// The line of `POST /v1/audit/backups`: a copy of the log is there, until the connection is closed.
public struct BackupReply: Sendable, Hashable, Codable {
    /// A folder of the service's own user.
    public var folder: String
    /// Records that the log had before; the copy has them all.
    public var records: UInt64

    public init(folder: String, records: UInt64) {
        self.folder = folder
        self.records = records
    }
}
