import Foundation

/// Data that the service keeps, as the log names it.
public struct RetainedData: Sendable, Hashable {
    /// UUID of the session that it was heard in.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// UUID; erasing names it again.
    public let item: String
    public let kind: DataKind
    /// Of the data itself, before it is encrypted.
    public let bytes: Int64
    /// `nil`: until the person takes the permission back.
    public let until: Date?

    public init(
        session: String, client: ClientIdentifier, user: UInt32, item: String, kind: DataKind, bytes: Int64,
        until: Date?
    ) {
        self.session = session
        self.client = client
        self.user = user
        self.item = item
        self.kind = kind
        self.bytes = bytes
        self.until = until
    }
}
