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
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Wait until nothing is read.
        var pausing: [CheckedContinuation<Void, Never>] = []
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
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        await begin()
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
        await withCheckedContinuation { continuation in
            let isQuiet = state.withLock { state in
                state.pauses += 1
                if state.reading > 0 { state.pausing.append(continuation) }
                return state.reading == 0
            }
            if isQuiet { continuation.resume() }
        }
    }

    func resume() {
        let next = state.withLock { state in
            state.pauses -= 1
            return goingOn(&state)
        }
        for continuation in next { continuation.resume() }
    }

    /// - Throws: `DatabaseError`.
    func close() throws {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
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

    private func begin() async {
        await withCheckedContinuation { continuation in
            let mayRead = state.withLock { state in
                guard state.pauses == 0, state.reading < most else {
                    state.waiting.append(continuation)
                    return false
                }
                state.reading += 1
                return true
            }
            if mayRead { continuation.resume() }
        }
    }

    private func end(_ reader: DatabaseQueue?) {
        let (next, closing) = state.withLock { state in
            state.reading -= 1
            if let reader, !state.isClosed { state.idle.append(reader) }
            return (goingOn(&state), state.isClosed ? reader : nil)
        }
        for continuation in next { continuation.resume() }
        try? closing?.close()
    }

    /// Those who go on: pauses when nothing is read any more, readers when nothing is paused.
    private func goingOn(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
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
