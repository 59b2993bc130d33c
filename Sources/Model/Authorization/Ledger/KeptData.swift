import Foundation

/// Data of a session that is kept after the session. Recorded before it is kept.
public struct RetainedData: Sendable, Hashable {
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// UUID of the kept item; the record of its erasure names it.
    public let item: String
    public let kind: DataKind
    public let bytes: Int64
    public let until: RetentionEnd
    /// Where the person can find it.
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
    /// When the permission is withdrawn.
    case untilWithdrawn
}

/// Data of a session that could not be kept. The session continued.
public struct UnkeptData: Sendable, Hashable {
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

/// Kept data of one client that was erased.
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
    /// Its keeping time is over.
    case retentionEnded
    /// The person withdrew the permission.
    case withdrawn
    /// The person asked for it (`voicegate audit erase`).
    case requested
    /// The service ended while it was being written.
    case incomplete
}
