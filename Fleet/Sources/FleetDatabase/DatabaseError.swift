import CPostgreSQL

/// What PostgreSQL, or the connection to it, answers instead of a result.
public struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// SQLSTATE, five characters: https://www.postgresql.org/docs/15/errcodes-appendix.html; 08006 if the connection is lost.
    public let state: String
    /// In the server's words.
    public let message: String

    public init(state: String, message: String) {
        self.state = state
        self.message = message
    }

    public var description: String { "PostgreSQL: \(message) (\(state))" }

    static let connectionFailure = "08006"
    /// Not by the server: too many wait for a connection of this program.
    static let noConnection = DatabaseError(state: "53300", message: "too many requests wait for a connection")
    /// A unique index has these values already.
    public static let uniqueViolation = "23505"

    /// The server is a standby, or became one: a different server is the primary now.
    static let readOnly = "25006"

    /// Whether the same transaction may succeed if it is tried again: the connection was lost, the server shuts down, starts, is
    /// no primary any longer, or has no space, memory or connection to spare, or two transactions were in each other's way, or one
    /// took too long.
    public var isTransient: Bool {
        state == Self.readOnly || state.hasPrefix("08") || state.hasPrefix("57P") || state.hasPrefix("53")
            || ["40001", "40P01", "55P03", "57014"].contains(state)
    }
}
