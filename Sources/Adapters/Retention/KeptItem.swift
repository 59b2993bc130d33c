import Authorization
import Base
import Foundation

/// Something that the service keeps for the person: a transcript, a recording or a microphone profile.
public struct KeptItem: Sendable, Hashable {
    /// UUID, in lower case; also the name of its file.
    public let identifier: String
    /// UUID of the session that it was heard in.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    public let kind: DataKind
    /// The permissions it was heard with; revoking one of them erases it.
    public let resources: Set<Resource>
    public let time: KeepingTime
    /// Of the data itself, before it is encrypted.
    public var bytes: Int64
    /// When its time began: when it was complete.
    public var began: Moment

    public init(
        identifier: String, session: String, client: ClientIdentifier, user: UInt32, kind: DataKind,
        resources: Set<Resource>, time: KeepingTime, bytes: Int64, began: Moment
    ) {
        self.identifier = identifier
        self.session = session
        self.client = client
        self.user = user
        self.kind = kind
        self.resources = resources
        self.time = time
        self.bytes = bytes
        self.began = began
    }

    /// When it was complete, by the wall's clock.
    public var date: Date { Date(timeIntervalSince1970: Double(began.wall) / 1000) }

    /// When it ends by the wall clock; `nil`: when the permission is withdrawn.
    public var end: Date? { time.milliseconds.map { date.addingTimeInterval(Double($0) / 1000) } }

    /// Milliseconds until it has to be erased, 0 when it has to be now; `nil`: it does not end by itself.
    ///
    /// An unknown time counts as over: setting a clock back must not make anything last longer.
    public func remaining(at moment: Moment) -> Int64? {
        guard let limit = time.milliseconds else { return nil }
        guard let elapsed = moment.elapsed(since: began) else { return 0 }
        return max(0, limit - elapsed)
    }

    public func isOver(at moment: Moment) -> Bool { remaining(at: moment) == 0 }

    /// The same with its beginning by the clock of the present boot.
    ///
    /// - Parameter lastSeen: the last moment that the service noted. It bears witness to how long the item was kept by a
    ///   clock that cannot be set, so that one that was set back before the reboot is not believed.
    public func anchored(to now: Moment, lastSeen: Moment?) -> KeptItem {
        guard began.boot != now.boot else { return self }
        var item = self
        item.began = Moment.unknown
        let witness = lastSeen.flatMap { $0.boot == began.boot && $0.sinceBoot >= began.sinceBoot ? $0 : nil } ?? began
        guard let before = witness.elapsed(since: began), let after = now.elapsed(since: witness) else { return item }
        let elapsed = before + after
        item.began = Moment(boot: now.boot, sinceBoot: now.sinceBoot - elapsed, wall: now.wall - elapsed)
        return item
    }
}

/// An item as stored in the table.
public struct KeptEntry: Sendable, Hashable {
    public let item: KeptItem
    public let state: KeptState
    /// While it is being erased.
    public let reason: ErasureReason?

    public init(item: KeptItem, state: KeptState, reason: ErasureReason? = nil) {
        self.item = item
        self.state = state
        self.reason = reason
    }
}

/// How far an item is. The states are stored, so that whatever ends the service in between is made up for at its next
/// start.
public enum KeptState: String, Sendable, Hashable, CaseIterable {
    /// Its file is being written; it cannot be read, because its key is only in memory, or not recorded yet.
    case writing
    /// It is complete and recorded.
    case kept
    /// Its key is gone; the file and the record are still to follow.
    case erasing
}

/// Selects the items that match every value that is set.
public struct ItemSelection: Sendable, Hashable {
    public var identifiers: Set<String>?
    public var client: ClientIdentifier?
    public var user: UInt32?
    public var session: String?
    /// Those that were complete before it.
    public var before: Date?
    /// Those that were complete then or later.
    public var since: Date?
    /// Those that were heard with it.
    public var resource: Resource?

    public init(
        identifiers: Set<String>? = nil, client: ClientIdentifier? = nil, user: UInt32? = nil, session: String? = nil,
        before: Date? = nil, since: Date? = nil, resource: Resource? = nil
    ) {
        self.identifiers = identifiers
        self.client = client
        self.user = user
        self.session = session
        self.before = before
        self.since = since
        self.resource = resource
    }

    /// The items that were heard with a permission.
    public init(_ key: DecisionKey) { self.init(client: key.client, user: key.user, resource: key.resource) }

    public func contains(_ item: KeptItem) -> Bool {
        if let identifiers, !identifiers.contains(item.identifier) { return false }
        if let client, client != item.client { return false }
        if let user, user != item.user { return false }
        if let session, session != item.session { return false }
        if let before, item.date >= before { return false }
        if let since, item.date < since { return false }
        if let resource, !item.resources.contains(resource) { return false }
        return true
    }
}
