import CPostgreSQL
import Foundation

/// Owns one PGresult.
struct PostgreSQLResult: ~Copyable {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }

    /// Of the rows that a statement without a result has changed.
    var changed: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    var error: DatabaseError {
        DatabaseError(
            state: field("C") ?? DatabaseError.connectionFailure,
            message: field("M") ?? String(cString: PQresultErrorMessage(result)).trimmingCharacters(in: .newlines),
            // `PG_DIAG_SEVERITY_NONLOCALIZED` of postgres_ext.h.
            endsSession: ["FATAL", "PANIC"].contains(field("V")))
    }

    /// - Parameter code: of the protocol (https://www.postgresql.org/docs/15/protocol-error-fields.html).
    /// - Returns: `nil` also if libpq made the error itself.
    private func field(_ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(UInt8(ascii: code))).map { String(cString: $0) }
    }

    /// In text format; `nil`: NULL.
    func rows() -> [[String?]] {
        let columns = PQnfields(result)
        return (0..<PQntuples(result)).map { row in
            (0..<columns).map { column in
                guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else {
                    return nil
                }
                return String(
                    decoding: UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))),
                    as: UTF8.self)
            }
        }
    }
}
