import Dispatch
import GRDB
import LinuxSystem
import Synchronization

/// Connections that only read, beside the one that writes, so that reading neither waits for appends nor delays them.
///
/// They never write and never checkpoint: in SQLite before 3.51.3 a second connection that does so can lose data
/// (sqlite.org/wal.html, "The WAL-Reset Bug").
final class LogReaders: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        var reading = 0
        var pauses = 0
        var isClosed = false
        /// Get whether they may read.
        var waiting: [CheckedContinuation<Bool, Never>] = []
        /// Wait until nothing is read.
        var pausing: [CheckedContinuation<Bool, Never>] = []
    }

    private let path: String
    private let most: Int
    private let configuration: Configuration
    private let state = Mutex(State())
    private let opening = DispatchQueue(label: "voicegate.log.readers")
    /// Throws if another file is at the path now.
    private let requireSameFile: @Sendable () throws -> Void

    /// - Parameters:
    ///   - most: how many read at once; the others wait.
    ///   - configuration: of the connection that writes.
    init(
        path: String, most: Int, configuration: Configuration, requireSameFile: @escaping @Sendable () throws -> Void
    ) {
        self.path = path
        self.most = most
        var reading = configuration
        reading.label = "consent log reader"
        reading.readonly = true
        // Records are read once and in order; a larger cache gains nothing.
        reading.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -256") }
        self.configuration = reading
        self.requireSameFile = requireSameFile
    }

    /// Reads one moment of the database on a thread of the connection.
    ///
    /// - Throws: `DatabaseError`, also when this was closed; what the body throws.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard await begin() else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the log is closed") }
        let reader: DatabaseQueue
        do {
            reader = try await connection()
        } catch {
            end(nil)
            throw error
        }
        defer { end(reader) }
        return try await reader.read(body)
    }

    /// Returns when nothing is read, and until `resume` nothing is: SQLite empties the write-ahead log only if no reader
    /// needs it.
    nonisolated(nonsending) func pause() async {
        _ = await withCheckedContinuation { continuation in
            let isQuiet = state.withLock { state in
                state.pauses += 1
                if state.reading > 0 { state.pausing.append(continuation) }
                return state.reading == 0
            }
            if isQuiet { continuation.resume(returning: true) }
        }
    }

    func resume() {
        let next = state.withLock { state in
            state.pauses -= 1
            return goingOn(&state)
        }
        for continuation in next { continuation.resume(returning: true) }
    }

    /// What is being read goes on; nothing else is read.
    ///
    /// - Throws: `DatabaseError`.
    func close() throws {
        let (idle, refused) = state.withLock { state in
            state.isClosed = true
            defer { (state.idle, state.waiting) = ([], []) }
            return (state.idle, state.waiting)
        }
        for continuation in refused { continuation.resume(returning: false) }
        for reader in idle { try reader.close() }
    }

    private func connection() async throws -> DatabaseQueue {
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        return try await opening.run { [path, configuration, requireSameFile] () throws(any Error) in
            let reader = try DatabaseQueue(path: path, configuration: configuration)
            try requireSameFile()
            return reader
        }
    }

    /// - Returns: `false` if this was closed.
    private func begin() async -> Bool {
        await withCheckedContinuation { continuation in
            let mayRead: Bool? = state.withLock { state in
                if state.isClosed { return false }
                guard state.pauses == 0, state.reading < most else {
                    state.waiting.append(continuation)
                    return nil
                }
                state.reading += 1
                return true
            }
            if let mayRead { continuation.resume(returning: mayRead) }
        }
    }

    private func end(_ reader: DatabaseQueue?) {
        let (next, closing) = state.withLock { state in
            state.reading -= 1
            if let reader, !state.isClosed { state.idle.append(reader) }
            return (goingOn(&state), state.isClosed ? reader : nil)
        }
        for continuation in next { continuation.resume(returning: true) }
        try? closing?.close()
    }

    /// The waiters to resume: pauses when no read is left, readers when no pause is left.
    private func goingOn(_ state: inout State) -> [CheckedContinuation<Bool, Never>] {
        guard state.pauses == 0 else {
            guard state.reading == 0 else { return [] }
            defer { state.pausing = [] }
            return state.pausing
        }
        let count = min(state.waiting.count, most - state.reading)
        let next = Array(state.waiting.prefix(count))
        state.waiting.removeFirst(count)
        state.reading += count
        return next
    }
}
