import Authorization
import Base

/// How much of one user the log takes: as much at once, and as much again in each day after that, so that no user fills the disk
/// that all share.
public struct RecordQuota: Sendable {
    public static let unlimited = RecordQuota(records: .max, bytes: .max)

    let records: Int
    let bytes: Int

    public init(records: Int = 10_000, bytes: Int = 8_000_000) { (self.records, self.bytes) = (records, bytes) }

    fileprivate var isLimited: Bool { records < .max }
    fileprivate static let day: Int64 = 86_400_000

    /// What a record takes of the quota: the milliseconds after which it is free again.
    fileprivate func time(for size: Int) -> Int64 {
        let part = max(1 / Double(records), Double(size) / Double(bytes))
        return Int64((Double(Self.day) * part).rounded())
    }
}

/// What an event's record does to its user's account.
private enum Charge {
    /// Ends something, or its number follows from that of other records: always recorded.
    case always
    /// Denies or withdraws: always recorded if there is a grant, else from the part that is kept for it.
    case revocation(DecisionKey)
    /// Mutes: always recorded if the user permits anything, else refused if there is no room.
    case mute(user: UInt32)
    /// Counted if there is no room.
    case refusal(RefusalCode, repeated: Int)
    /// Permits or begins something: refused if there is no room.
    case use
}

/// What the log has recorded of each user.
struct RecordAccounts: Sendable {
    private struct Account {
        /// Of the quota, in milliseconds as `RecordQuota.time`; below zero after what is recorded in any case.
        var left = RecordQuota.day
        var changed: Moment
        var counted: CountedRefusals?
        /// Since the service started.
        var records = 0
        var bytes = 0
    }

    /// Kept for revocations.
    private static let reserve = RecordQuota.day / 10
    /// More users than this share one account, that of the user `.max`.
    private static let most = 4096

    private let quota: RecordQuota
    private var accounts: [UInt32: Account] = [:]
    /// Keys with a grant that was recorded, of each user.
    private var granted: [UInt32: Set<DecisionKey>]

    init(_ quota: RecordQuota, granted: [DecisionKey]) {
        self.quota = quota
        self.granted = Dictionary(grouping: granted, by: \.user).mapValues(Set.init)
    }

    /// Charges an event's record to the user who caused it.
    ///
    /// - Parameter size: of the record, in bytes.
    /// - Returns: what to record before it.
    /// - Throws: `RecordQuotaExceeded` if it must not be recorded.
    mutating func charge(
        _ event: LedgerEvent, changing change: DecisionChange?, size: Int, at now: @autoclosure () -> Moment
    ) throws(RecordQuotaExceeded) -> CountedRefusals? {
        guard quota.isLimited else { return nil }
        let now = now()
        let (user, charge) = event.charge
        guard let user else {
            note(event, change)
            return nil
        }
        let time = quota.time(for: size)
        let owner = owner(of: user, at: now)
        var account = account(of: owner, at: now)
        var counted: CountedRefusals?
        if user != 0, let needed = room(for: charge, time), account.left < needed {
            if case .refusal(let code, let repeated) = charge {
                account.counted = account.counted ?? CountedRefusals(user: owner, since: now.date)
                account.counted?.add(code, repeated: repeated)
            }
            accounts[owner] = account
            throw RecordQuotaExceeded(user: user, seconds: (needed - account.left + 999) / 1000)
        }
        if case .refusal = charge {
            counted = account.counted
            account.counted = nil
        }
        account.left = max(-RecordQuota.day, account.left - time)
        account.records += 1
        account.bytes += size
        accounts[owner] = account
        note(event, change)
        return counted
    }

    /// What was counted and is not recorded yet; the caller records it.
    mutating func takeCounted() -> [CountedRefusals] {
        let counted = accounts.values.compactMap(\.counted)
        for user in accounts.keys { accounts[user]?.counted = nil }
        return counted.sorted { $0.user < $1.user }
    }

    /// The user with the most bytes of records since the service started.
    var largest: (user: UInt32, records: Int, bytes: Int)? {
        accounts.max { $0.value.bytes < $1.value.bytes }.map { ($0.key, $0.value.records, $0.value.bytes) }
    }

    /// - Returns: what must be left; `nil`: it is recorded in any case.
    private func room(for charge: Charge, _ time: Int64) -> Int64? {
        switch charge {
        case .always: nil
        case .revocation(let key): granted[key.user]?.contains(key) == true ? nil : time
        case .mute(let user): granted[user] != nil ? nil : time + Self.reserve
        case .refusal, .use: time + Self.reserve
        }
    }

    /// The user whose account it is; `.max` for the shared one.
    private mutating func owner(of user: UInt32, at now: Moment) -> UInt32 {
        guard accounts[user] == nil, accounts.count >= Self.most else { return user }
        accounts = accounts.filter { other, account in
            account.counted != nil || self.account(of: other, at: now).left < RecordQuota.day
        }
        return accounts.count < Self.most ? user : .max
    }

    /// With what became free since it was changed. A time that is not known counts as none.
    private func account(of owner: UInt32, at now: Moment) -> Account {
        guard var account = accounts[owner] else { return Account(changed: now) }
        account.left += min(RecordQuota.day - account.left, now.elapsed(since: account.changed) ?? 0)
        account.changed = now
        return account
    }

    /// Keeps the keys with a grant, of what will be recorded.
    private mutating func note(_ event: LedgerEvent, _ change: DecisionChange?) {
        var key = change?.key
        // A grant for one use is not stored.
        if change == nil, case .granted(let prompt, _, _, _, _) = event {
            key = prompt.requester.key(for: prompt.resource)
        }
        guard let key else { return }
        if change == nil || change?.decision?.verdict == .authorized {
            granted[key.user, default: []].insert(key)
        } else {
            granted[key.user]?.remove(key)
            if granted[key.user]?.isEmpty == true { granted[key.user] = nil }
        }
    }
}

extension LedgerEvent {
    /// A user may have many identifiers for programs that are untrusted (subuid(5)), so all of those share one account.
    private static func charged(_ caller: Caller) -> UInt32 {
        if case .untrusted = caller.evidence { .max } else { caller.user }
    }

    /// The user who is charged, `nil` if no user caused it, and how.
    fileprivate var charge: (user: UInt32?, Charge) {
        switch self {
        case .asked(let prompt), .noticeChanged(let prompt, _), .noticeShown(let prompt, _):
            (prompt.requester.caller.user, .use)
        case .granted(let prompt, _, _, _, _), .renewed(let prompt, _, _, _, _, _), .denied(let prompt, _, _),
            .deferred(let prompt, _, _):
            (prompt.requester.caller.user, .always)
        case .decidedInSettings(_, .authorized, _, _, let caller): (caller.user, .use)
        case .decidedInSettings(let key, .denied, _, _, let caller), .withdrawn(let key, _, _, let caller):
            (caller.user, .revocation(key))
        case .used(let key), .expired(let key, _): (key.user, .always)
        case .upgradeRequested(let requester, _), .carriedOver(let requester, _, _): (requester.caller.user, .use)
        // Nothing is recorded of one who is muted already, so the quota of unmuting bounds these.
        case .muted(_, let caller) where Self.charged(caller) == caller.user: (caller.user, .always)
        case .muted(_, let caller): (Self.charged(caller), .mute(user: caller.user))
        case .unmuted(_, let caller): (caller.user, .use)
        case .accessBlocked(let requester, _, let code, let repeated):
            (Self.charged(requester.caller), .refusal(code, repeated: repeated))
        case .refusedByPolicy(let requester, _, _, let repeated):
            (Self.charged(requester.caller), .refusal(.restricted, repeated: repeated))
        case .refusalsCounted(let counted): (counted.user, .always)
        case .restrictedByPolicy, .revokedByAdministrator, .policyChanged, .collectorChanged, .recovered:
            (nil, .always)
        case .sessionStarted(let session): (session.requester.caller.user, .use)
        case .sessionStopped(let session, _): (session.requester.caller.user, .always)
        case .sessionPaused(_, _, let user, _), .sessionResumed(_, _, let user, _): (user, .always)
        case .recognizerFailed(_, _, let user, _): (user, .always)
        case .engineChanged(_, _, _, let user): (user, .use)
        case .monitor(let monitor, let occurrence):
            switch occurrence {
            case .registered(let caller): (caller.user, .use)
            case .paused, .resumed, .triggered, .failed, .started: (monitor.user, .use)
            case .removed, .exited: (monitor.user, .always)
            }
        case .dataRetained(_, _, let user, _, _, _, _, _): (user, .use)
        case .dataNotKept(_, _, let user, _, _), .dataErased(_, _, _, let user, _): (user, .always)
        case .dataShared(let data): (data.user, .always)
        case .requestReceived(let request): (request.caller.user, .use)
        case .requestAnswered(let request, _, _, _, _): (request.caller.user, .always)
        case .exportMade(_, _, _, _, let caller): (caller.user, .use)
        }
    }
}
