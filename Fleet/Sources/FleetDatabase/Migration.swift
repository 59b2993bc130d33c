import Crypto
import Foundation

/// A numbered file of SQL that changes the database's schema, once.
public struct Migration: Sendable, Hashable {
    public let number: Int
    public let name: String
    public let sql: String

    /// In the order in which they are applied.
    public static let all = [
        Migration(1, "records", PackageResources._001_records_sql),
        Migration(2, "questions", PackageResources._002_questions_sql),
        Migration(3, "limits", PackageResources._003_limits_sql),
        Migration(4, "outages", PackageResources._004_outages_sql),
    ]

    init(_ number: Int, _ name: String, _ sql: [UInt8]) {
        self.number = number
        self.name = name
        self.sql = String(decoding: sql, as: UTF8.self)
    }

    /// A file that was applied must not change afterwards.
    public var digest: Data { Data(SHA256.hash(data: Data(sql.utf8))) }
}
