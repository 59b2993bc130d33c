import Foundation

/// `text/x.tlog.mirror-info` of https://c2sp.org/tlog-mirror: where an upload goes on.
public struct MirrorInfo: Sendable, Hashable {
    public static let mediaType = "text/x.tlog.mirror-info"

    /// Of a checkpoint that the collector has.
    public let size: UInt64
    /// The first record that it has not.
    public let next: UInt64
    /// VoiceGate's collector needs none.
    public let ticket: Data

    public init(size: UInt64, next: UInt64, ticket: Data = Data()) {
        (self.size, self.next, self.ticket) = (size, next, ticket)
    }

    /// - Returns: `nil` unless there are three lines.
    public init?(_ data: Data) {
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[3].isEmpty, let size = UInt64(lines[0]), let next = UInt64(lines[1]),
            let ticket = Data(base64Encoded: String(lines[2]))
        else { return nil }
        self.init(size: size, next: next, ticket: ticket)
    }

    public var text: String { "\(size)\n\(next)\n\(ticket.base64EncodedString())\n" }
}

/// The JSON of `POST /enroll`.
public struct EnrolmentRequest: Codable, Sendable {
    public let token: String
    /// The log's verifier key.
    public let key: String
    public let name: String
    /// As in `ReportRequest`: of this moment, it shows that the machine has the key.
    public let report: String
    /// Seconds between reports; `nil`: the collector's default.
    public let interval: Int?

    public init(token: String, key: String, name: String, report: String, interval: Int?) {
        (self.token, self.key, self.name, self.report, self.interval) = (token, key, name, report, interval)
    }
}

/// The answer 201 to `POST /enroll`.
public struct EnrolmentReply: Codable, Sendable {
    public let host: Int64
    /// For all further requests.
    public let token: String
    public let interval: Int

    public init(host: Int64, token: String, interval: Int) {
        (self.host, self.token, self.interval) = (host, token, interval)
    }
}

/// The JSON of `POST /report`.
public struct ReportRequest: Codable, Sendable {
    /// A signed note with the text of a `LogReport`.
    public let report: String
    /// `nil`: as before.
    public let interval: Int?

    public init(report: String, interval: Int?) { (self.report, self.interval) = (report, interval) }
}

/// The answer to `POST /report`.
public struct ReportReply: Codable, Sendable {
    /// Of 200: seconds until the next report.
    public let interval: Int?
    /// Of 409: another report had this counter.
    public let counter: Int64?

    public init(interval: Int? = nil, counter: Int64? = nil) { (self.interval, self.counter) = (interval, counter) }
}
