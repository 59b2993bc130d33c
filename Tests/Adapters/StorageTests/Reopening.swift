@testable import Storage

extension SQLiteStorage {
    /// Opens a log that was open before. One that could not be used gives up its lock with the last value that has it, and the
    /// log's thread may have one for a moment; a process that was killed, when the kernel has closed its files.
    static func reopened(_ directory: String) async throws -> SQLiteStorage {
        while true {
            do { return try SQLiteStorage(directory: directory) } catch let error as StorageError
                where error.code == .locked
            { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}
