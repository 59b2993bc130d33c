import Authorization
import Consent
import Foundation
import Hummingbird
import SocketAPI

/// What a request asks of the log.
struct AuditQuery {
    static let longestSubject = 128

    private let request: Request

    init(_ request: Request) { self.request = request }

    /// - Throws: `RouteError` with `invalidValue`.
    func filter() throws -> AuditFilter {
        AuditFilter(
            since: try time("since"), until: try time("until"), client: try client(), subject: try subject())
    }

    func isSet(_ name: String) throws -> Bool { try request.isSet(name) }

    func number(_ name: String) throws -> UInt64? {
        guard let text = request.uri.queryParameters[Substring(name)] else { return nil }
        guard let number = UInt64(text) else { throw RouteError(.invalidValue, "\(name) is a whole number.") }
        return number
    }

    private func time(_ name: String) throws -> Date? {
        guard let text = request.uri.queryParameters[Substring(name)].map(String.init) else { return nil }
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            if let date = try? style.parse(text) { return date }
        }
        throw RouteError(.invalidValue, "\(name) is a time in ISO 8601, such as 2026-11-21T10:00:00Z.")
    }

    private func client() throws -> ClientIdentifier? {
        guard let text = request.uri.queryParameters["client"].map(String.init) else { return nil }
        guard let client = ClientIdentifier(rawValue: text) else {
            throw RouteError(.invalidValue, "client is a bundle identifier.")
        }
        return client
    }

    private func subject() throws -> String? {
        guard let text = request.uri.queryParameters["subject"].map(String.init) else { return nil }
        guard !text.isEmpty, text.utf8.count <= Self.longestSubject else {
            throw RouteError(.invalidValue, "subject is a pseudonym or a user's number.")
        }
        return text
    }
}
