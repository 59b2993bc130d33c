import Foundation

/// A user's programs have made as many records as the log takes of one user for now. This event was not recorded.
public struct RecordQuotaExceeded: Error, Sendable, Hashable, CustomStringConvertible {
    public let user: UInt32
    /// Seconds after which there is room for it, if nothing else of the user is recorded meanwhile.
    public let seconds: Int64

    public init(user: UInt32, seconds: Int64) { (self.user, self.seconds) = (user, seconds) }

    public var description: String {
        "The consent log has as many records of user \(user) as it takes for now, so this was not recorded. Try again in "
            + "\(seconds) s. Withdrawing a permission, muting and ending a session work all the same."
    }
}

/// Refusals of a user's programs that were counted instead of recorded, because the log took no more records of the user.
public struct CountedRefusals: Sendable, Hashable {
    public let user: UInt32
    /// When the first of them was refused.
    public let since: Date
    public private(set) var count = 0
    public private(set) var reasons: Set<RefusalCode> = []

    public init(user: UInt32, since: Date) { (self.user, self.since) = (user, since) }

    /// - Parameter repeated: further ones of the same kind.
    public mutating func add(_ code: RefusalCode, repeated: Int) {
        count += 1 + repeated
        reasons.insert(code)
    }
}

extension AuthorizationError {
    /// A request that could not be recorded.
    ///
    /// - Parameter error: the ledger's.
    init(
        unrecorded error: any Error, _ resource: Resource, _ requester: Requester,
        status: AuthorizationStatus? = nil
    ) {
        let quota = (error as? RecordQuotaExceeded).map { RefusalReason.tooManyRecords(seconds: $0.seconds) }
        self.init(quota ?? .recordingFailed, resource, requester, status: status)
    }
}
