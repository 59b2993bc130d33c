import FleetDatabase
import Testing

/// The SQLSTATEs of PostgreSQL 15 that a server or libpq may answer while a primary is killed and a standby promoted, and others.
@Suite("Errors of the database")
struct DatabaseErrorTests {
    @Test(
        "A database that is away is unavailable, and the transaction is to be tried again",
        arguments: [
            // Of the connection; 08006 is libpq's own.
            "08000", "08001", "08003", "08004", "08006", "08P01",
            // Shuts down, crashed, starts, dropped, idle too long.
            "57P01", "57P02", "57P03", "57P04", "57P05",
            // A standby: read-only, or in recovery.
            "25006", "55000",
            // Rolled back, a deadlock, and unknown whether committed.
            "40000", "40001", "40003", "40P01",
            // No disk, memory, connections; a limit.
            "53000", "53100", "53200", "53300", "53400",
            // Input and output, a file that is gone.
            "58000", "58030", "58P01",
            // Somebody else's lock, a timeout.
            "55006", "55P03", "57014", "25P03", "25P04",
        ])
    func away(state: String) {
        #expect(DatabaseError(state: state, message: "").isTransient)
    }

    @Test(
        "An error of the statement, the data or the rights remains",
        arguments: ["22012", "22P02", "23505", "25P02", "28P01", "3D000", "42501", "42601", "42P01", "XX000", "XX001"])
    func lasting(state: String) {
        #expect(!DatabaseError(state: state, message: "").isTransient)
    }

    @Test("An error with which the server ends the session counts as away, whatever its SQLSTATE")
    func ended() {
        #expect(DatabaseError(state: "XX000", message: "postmaster exited", endsSession: true).isTransient)
    }
}
