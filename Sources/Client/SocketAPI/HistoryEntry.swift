import Authorization
import Foundation

/// Something that is kept, as `GET /v1/history` tells it.
public struct HistoryEntry: Sendable, Hashable, Codable {
    /// UUID.
    public var item: String
    /// UUID of the session that it was heard in; the records name it too.
    public var session: String
    public var client: String
    /// The client's name; its identifier where it has no manifest any more.
    public var name: String
    public var kind: DataKind
    /// When it was complete.
    public var date: Date
    /// When it is erased; `nil`: when the permission is taken back.
    public var until: Date?
    /// Of the data itself.
    public var bytes: Int64
    /// Of a transcript, where texts were asked for.
    public var text: String?
    /// Why it cannot be read.
    public var problem: String?

    public init(
        item: String, session: String, client: String, name: String, kind: DataKind, date: Date, until: Date?,
        bytes: Int64, text: String? = nil, problem: String? = nil
    ) {
        self.item = item
        self.session = session
        self.client = client
        self.name = name
        self.kind = kind
        self.date = date
        self.until = until
        self.bytes = bytes
        self.text = text
        self.problem = problem
    }
}
