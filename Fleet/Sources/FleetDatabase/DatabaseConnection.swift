import CPostgreSQL
import Dispatch
import Foundation

/// One connection to PostgreSQL. libpq waits for the server, so everything runs on the connection's own thread, never
/// on Swift's pool.
///
/// A transaction is one call of `run`, whose body nothing else of the connection comes between.
public actor DatabaseConnection {
    private let executor = ConnectionExecutor()
    /// Owned: `PQfinish` in `deinit`. Used by the actor alone, except for `deinit`, which is behind every use.
    private nonisolated(unsafe) let connection: OpaquePointer

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter settings: a connection string or URI of libpq; missing settings come from the variables PGHOST,
    ///   PGUSER and so on. Both sides notice within 20 s that the other is gone without a word, unless they say otherwise.
    /// - Throws: `DatabaseError` if there is no server.
    public init(settings: String) async throws(DatabaseError) {
        let executor = self.executor
        let opened: Opened = await withCheckedContinuation { continuation in
            executor.queue.async { continuation.resume(returning: Opened(settings)) }
        }
        guard let connection = opened.connection else {
            throw DatabaseError(state: DatabaseError.connectionFailure, message: "there is no memory for a connection")
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else {
            throw DatabaseError(
                state: DatabaseError.connectionFailure,
                message: String(cString: PQerrorMessage(connection)).trimmingCharacters(in: .newlines))
        }
        // Until the server notices that this side is gone, it keeps the locks of a transaction. libpq's `options` could
        // set it too, but PgBouncer refuses that.
        try script("SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_user_timeout = '20s'")
    }

    deinit { PQfinish(connection) }

    /// Crosses from the connection's thread once, before anything else has it.
    private struct Opened: @unchecked Sendable {
        let connection: OpaquePointer?

        init(_ settings: String) {
            // `expand_dbname`: the value of dbname is a whole connection string, and overrides what is before it.
            let options: KeyValuePairs<String, String?> = [
                "connect_timeout": getenv("PGCONNECT_TIMEOUT") == nil ? "10" : nil,
                "tcp_user_timeout": "20000", "keepalives_idle": "10", "keepalives_interval": "5",
                "dbname": settings, "client_encoding": "UTF8", "application_name": "voicegate",
            ]
            connection = withCStrings(options.map(\.key)) { keywords in
                withCStrings(options.map(\.value)) { PQconnectdbParams(keywords, $0, 1) }
            }
            // Notices, such as "relation exists, skipping", are for psql.
            if let connection { PQsetNoticeProcessor(connection, { _, _ in }, nil) }
        }
    }

    /// Whether the connection can be used again: it is alive, and in no transaction.
    public var isIdle: Bool {
        // libpq learns that the server is gone by reading. The first time it may read the server's last words instead.
        PQconsumeInput(connection) == 1 && PQconsumeInput(connection) == 1 && PQstatus(connection) == CONNECTION_OK
            && PQtransactionStatus(connection) == PQTRANS_IDLE
    }

    /// Whether no one on the way can read or change what is sent: the server is on this machine, or its certificate was
    /// verified.
    public var isProtected: Bool {
        if PQhost(connection).map({ String(cString: $0).hasPrefix("/") }) == true { return true }
        let address = PQhostaddr(connection).map { String(cString: $0) } ?? ""
        if address.hasPrefix("127.") || address == "::1" { return true }
        guard PQsslInUse(connection) == 1, let options = PQconninfo(connection) else { return false }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "sslmode" {
                return option.pointee.val.map { String(cString: $0).hasPrefix("verify-") } == true
            }
            option += 1
        }
        return false
    }

    /// Runs the body on the connection's thread, where it may call the methods below one after the other.
    public func run<Value: Sendable>(
        _ body: @Sendable (isolated DatabaseConnection) throws -> Value
    ) throws -> Value { try body(self) }

    /// A commit is on the disk with any setting of the server, the database or the role; and a transaction that waits
    /// long for a host gives up, before all connections wait. Set for each transaction, because PgBouncer may give each
    /// another connection.
    private static func begin(waiting time: String) -> String {
        """
        BEGIN; SET LOCAL lock_timeout = '\(time)'; SET LOCAL statement_timeout = '5min';
        SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'
        """
    }

    /// One transaction: the body's changes are committed when it returns, undone when it throws. The body must not catch a
    /// statement's error, after which the server commits nothing.
    ///
    /// - Parameter time: how long it waits for a row, as SQL has it.
    public func transaction<Value: Sendable>(
        waiting time: String = "5s", _ body: @Sendable (isolated DatabaseConnection) throws -> Value
    ) throws -> Value {
        try script(Self.begin(waiting: time))
        do {
            let value = try body(self)
            try query("COMMIT")
            return value
        } catch {
            // A connection that is broken, or stays in the transaction, is not used again: `isIdle`.
            _ = try? query("ROLLBACK")
            throw error
        }
    }

    /// One transaction of several calls, between which nothing else may use the connection.
    public nonisolated func inTransaction<Value>(
        _ begin: String = "BEGIN", _ body: () async throws -> Value
    ) async throws -> Value {
        try await query(begin)
        do {
            let value = try await body()
            try await query("COMMIT")
            return value
        } catch {
            _ = try? await query("ROLLBACK")
            throw error
        }
    }

    /// - Parameters:
    ///   - sql: one statement with `$1`, `$2`, …
    ///   - parameters: in text format; `nil`: NULL.
    /// - Returns: rows in text format.
    @discardableResult
    public func query(_ sql: String, _ parameters: [String?] = []) throws(DatabaseError) -> [[String?]] {
        let answer = withCStrings(parameters) {
            PQexecParams(connection, sql, Int32(parameters.count), nil, $0, nil, nil, 0)
        }
        guard let result = answer.map(PostgreSQLResult.init) else { throw connectionError }
        switch result.status {
        case PGRES_TUPLES_OK: return result.rows()
        case PGRES_COMMAND_OK: return []
        default: throw result.error
        }
    }

    /// Several statements in one message, without parameters and results.
    public func script(_ sql: String) throws(DatabaseError) {
        guard let result = PQexec(connection, sql).map(PostgreSQLResult.init) else { throw connectionError }
        guard result.status == PGRES_COMMAND_OK || result.status == PGRES_TUPLES_OK else { throw result.error }
    }

    /// Statements that do not depend on each other's results, in one round trip (libpq's pipeline mode).
    public func pipeline(_ statements: [Statement]) throws(DatabaseError) {
        guard PQenterPipelineMode(connection) == 1 else { throw connectionError }
        defer { PQexitPipelineMode(connection) }
        for statement in statements {
            let isSent = withCStrings(statement.parameters) {
                PQsendQueryParams(
                    connection, statement.sql, Int32(statement.parameters.count), nil, $0, nil, nil, 0)
            }
            guard isSent == 1 else { throw connectionError }
        }
        guard PQpipelineSync(connection) == 1 else { throw connectionError }
        var failure: DatabaseError?
        for _ in statements {
            while let result = PQgetResult(connection).map(PostgreSQLResult.init) {
                let status = result.status
                // The statements behind one that failed are passed over by the server.
                if ![PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_ABORTED].contains(status) {
                    failure = failure ?? result.error
                }
            }
        }
        // That of the synchronisation.
        guard let last = PQgetResult(connection).map(PostgreSQLResult.init), last.status == PGRES_PIPELINE_SYNC else {
            throw failure ?? connectionError
        }
        if let failure { throw failure }
    }

    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN …`
    ///   - data: all bytes of it; see `CopyData`.
    /// - Returns: how many rows were copied.
    @discardableResult
    public func copy(_ sql: String, _ data: [UInt8]) throws(DatabaseError) -> Int {
        guard let start = PQexec(connection, sql).map(PostgreSQLResult.init) else { throw connectionError }
        guard start.status == PGRES_COPY_IN else { throw start.error }
        let isSent = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: Self.copyPiece).allSatisfy { place in
                let piece = bytes[place..<min(place + Self.copyPiece, bytes.count)]
                return PQputCopyData(
                    connection, UnsafeRawBufferPointer(rebasing: piece).assumingMemoryBound(to: CChar.self).baseAddress,
                    Int32(piece.count)) == 1
            }
        }
        guard isSent, PQputCopyEnd(connection, nil) == 1 else { throw connectionError }
        var changed = 0
        var failure: DatabaseError?
        var isAnswered = false
        while let result = PQgetResult(connection).map(PostgreSQLResult.init) {
            isAnswered = true
            if result.status == PGRES_COMMAND_OK { changed = result.changed } else { failure = failure ?? result.error }
        }
        if let failure { throw failure }
        guard isAnswered else { throw connectionError }
        return changed
    }

    /// Bytes that libpq is given at once.
    private static let copyPiece = 64 * 1024

    private var connectionError: DatabaseError {
        DatabaseError(
            state: DatabaseError.connectionFailure,
            message: String(cString: PQerrorMessage(connection)).trimmingCharacters(in: .newlines))
    }
}

/// A statement of a pipeline; see `DatabaseConnection.query`.
public struct Statement: Sendable {
    let sql: String
    let parameters: [String?]

    public init(_ sql: String, _ parameters: [String?]) { (self.sql, self.parameters) = (sql, parameters) }
}

/// Runs a connection's work on a dispatch queue, whose threads may wait.
private final class ConnectionExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "voicegate.postgresql")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// The texts as C has them during the call; `nil` is a null pointer. A null pointer follows the last.
private func withCStrings<Value>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
    // PostgreSQL's text has no U+0000, which would end the C string.
    let copies = texts.map { $0.flatMap { strdup($0.utf8.contains(0) ? $0.replacing("\0", with: "\u{FFFD}") : $0) } }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { pointers in
        // Never empty: the last is null.
        body(pointers.baseAddress.unsafelyUnwrapped)
    }
}
