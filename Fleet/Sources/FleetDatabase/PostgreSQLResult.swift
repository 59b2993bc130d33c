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
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        return DatabaseError(
            state: state ?? DatabaseError.connectionFailure,
            message: message ?? String(cString: PQresultErrorMessage(result)).trimmingCharacters(in: .newlines))
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
