import CPostgreSQL

/// What PostgreSQL, or the connection to it, answers instead of a result.
public struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// SQLSTATE, five characters: https://www.postgresql.org/docs/15/errcodes-appendix.html; 08006 if the connection is lost.
    public let state: String
    /// In the server's words.
    public let message: String
    /// Whether the server ended the session with this error, for whatever reason: its severity is FATAL or PANIC.
    public let endsSession: Bool

    public init(state: String, message: String, endsSession: Bool = false) {
        self.state = state
        self.message = message
        self.endsSession = endsSession
    }

    public var description: String { "PostgreSQL: \(message) (\(state))" }

    static let connectionFailure = "08006"
    /// Not by the server: too many wait for a connection of this program.
    static let noConnection = DatabaseError(state: "53300", message: "too many requests wait for a connection")
    /// A unique index has these values already.
    public static let uniqueViolation = "23505"

    /// The server is a standby, or became one: a different server is the primary now.
    static let readOnly = "25006"

    /// Whether the database is away, or will take the same transaction another time: the one rule by which a request is answered
    /// with 503 and `Retry-After`, and a command with 69.
    ///
    /// By the server's word that it ended the session, or by SQLSTATE: its classes 08 (connection), 40 (rolled back), 53 (no
    /// space, memory or connection to spare), 57P (shuts down, starts, ended the session) and 58 (its disk), and single ones.
    public var isTransient: Bool {
        endsSession || Self.transientClasses.contains { state.hasPrefix($0) } || Self.transientStates.contains(state)
    }

    private static let transientClasses = ["08", "40", "53", "57P", "58"]
    private static let transientStates: Set = [
        // A standby, or a server that became one; locks and functions during recovery.
        readOnly, "55000",
        // Too long in a transaction, or in a statement.
        "25P03", "25P04", "57014",
        // A row or table that another transaction has.
        "55006", "55P03",
    ]
}
