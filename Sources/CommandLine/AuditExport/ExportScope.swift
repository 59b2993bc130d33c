import Authorization
import Consent
import Foundation

/// What an export is of. The file `scope.json` of a bundle.
public struct ExportScope: Sendable, Hashable, Codable {
    /// The log's origin: the first line of its checkpoints.
    public var log: String
    /// Records of the log when the export was made; those behind them are not in it.
    public var size: UInt64
    public var client: String?
    public var since: Date?
    public var until: Date?
    /// A pseudonym or a user's number.
    public var subject: String?
    /// Of the texts that are not from records.
    public var language: Language
    public var madeAt: Date

    public init(
        log: String, size: UInt64, client: String? = nil, since: Date? = nil, until: Date? = nil,
        subject: String? = nil, language: Language, madeAt: Date
    ) {
        self.log = log
        self.size = size
        self.client = client
        self.since = since
        self.until = until
        self.subject = subject
        self.language = language
        self.madeAt = madeAt
    }

    /// Whether nothing was left out, so that the records alone give the tree's root.
    public var isWhole: Bool { client == nil && since == nil && until == nil && subject == nil }

    /// Canonical JSON with a line's end.
    public var document: String {
        var members: [String: JSONValue] = [
            "log": .string(log), "size": .integer(Int64(clamping: size)), "whole": .boolean(isWhole),
            "language": .string(language.rawValue), "madeAt": .string(Timestamp(madeAt).text),
        ]
        if let client { members["client"] = .string(client) }
        if let since { members["since"] = .string(Timestamp(since).text) }
        if let until { members["until"] = .string(Timestamp(until).text) }
        if let subject { members["subject"] = .string(subject) }
        return JSONValue.object(members).canonical + "\n"
    }
}
