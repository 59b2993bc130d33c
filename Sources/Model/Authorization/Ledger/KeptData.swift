import Foundation

/// Data of a session that is kept after it, as it is written down before it is kept.
public struct RetainedData: Sendable, Hashable {
    /// UUID of the session it came from.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// UUID of the kept item; its erasure names it.
    public let item: String
    public let kind: DataKind
    public let bytes: Int64
    public let until: RetentionEnd
    /// Where it lies, as a person can find it.
    public let location: String

    public init(
        session: String, client: ClientIdentifier, user: UInt32, item: String, kind: DataKind, bytes: Int64,
        until: RetentionEnd, location: String
    ) {
        self.session = session
        self.client = client
        self.user = user
        self.item = item
        self.kind = kind
        self.bytes = bytes
        self.until = until
        self.location = location
    }
}

/// When kept data is erased.
public enum RetentionEnd: Sendable, Hashable {
    case date(Date)
    /// With the yes that it was kept on.
    case untilWithdrawn
}

/// Data that was to be kept and could not be; the session that it was heard in went on.
public struct UnkeptData: Sendable, Hashable {
    /// UUID.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    public let kind: DataKind
    /// A sentence.
    public let reason: String

    public init(session: String, client: ClientIdentifier, user: UInt32, kind: DataKind, reason: String) {
        self.session = session
        self.client = client
        self.user = user
        self.kind = kind
        self.reason = reason
    }
}

/// Kept data of one client that is no more.
public struct ErasedData: Sendable, Hashable {
    /// UUIDs.
    public let items: [String]
    public let kinds: [DataKind]
    public let client: ClientIdentifier
    public let user: UInt32
    public let reason: ErasureReason

    public init(
        items: [String], kinds: [DataKind], client: ClientIdentifier, user: UInt32, reason: ErasureReason
    ) {
        self.items = items
        self.kinds = kinds
        self.client = client
        self.user = user
        self.reason = reason
    }
}

/// Why data was erased.
public enum ErasureReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// The time for which it was kept is over.
    case retentionEnded
    /// The person took back the yes that it was kept on.
    case withdrawn
    /// The person asked for it (`voicegate audit erase`).
    case requested
    /// The service ended while it was being written; it was never readable.
    case incomplete
}
