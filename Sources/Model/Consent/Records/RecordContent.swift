import Authorization
import Base
import Cryptography
import Foundation
import Synchronization

/// A record's kind and fields, before it has an index in the log.
struct RecordContent: Sendable {
    let kind: RecordKind
    let members: Fields

    init(kind: RecordKind, fields: Fields) {
        self.kind = kind
        members = fields
    }

    var fields: [String: JSONValue] { members.dictionary }
}

/// Which event makes which kind of record with which fields. Names are written in full; a field that does not apply is
/// left out, one that is known to be empty is `null` or an empty list.
extension RecordContent {
    /// - Parameter change: kept as the field `change`, so that the stored decisions can be rebuilt from the records.
    init(_ event: LedgerEvent, changing change: StoredChange?, in context: RecordContext = RecordContext()) {
        var (kind, fields) = Self.describe(event, context)
        if let change { fields[.change] = change }
        if let user = fields[.user], let subjects = context.subjects {
            fields[.subject] = subjects.subject(ofUser: user)
        }
        self.init(kind: kind, fields: fields)
    }

    private static func describe(_ event: LedgerEvent, _ context: RecordContext) -> (RecordKind, Fields) {
        switch event {
        case .asked(let prompt): (.asked, asked(prompt))
        case .noticeChanged(let prompt, let previous):
            (.noticeChanged, asked(prompt) + shown(prompt.notice) + changed(from: previous))
        case .noticeShown(let prompt, let record):
            (.noticeShown, asked(prompt) + shown(prompt.notice) + Fields(.askedRecord, record))
        case .granted(let prompt, let scope, let fidelity, let indication, let notice):
            (.granted, answered(prompt, indication, notice, context) + allowed(scope, fidelity))
        case .renewed(let prompt, let scope, let fidelity, let indication, let notice, let decision):
            (.renewed, answered(prompt, indication, notice, context) + allowed(scope, fidelity) + made(by: decision))
        case .denied(let prompt, let indication, let notice):
            (.denied, answered(prompt, indication, notice, context) + Fields(.validity, "untilChanged"))
        case .deferred(let prompt, let indication, let notice):
            (.deferred, answered(prompt, indication, notice, context) + Fields(.validity, "untilAskedAgain"))
        case .decidedInSettings(let key, .authorized, let terms, let notice, let caller):
            (.granted, settled(key, notice, caller, context) + allowed(terms?.scope, terms?.fidelity))
        case .decidedInSettings(let key, .denied, _, let notice, let caller):
            (.denied, settled(key, notice, caller, context) + Fields(.validity, "untilChanged"))
        case .withdrawn(let key, let notice, let decision, let caller):
            (.withdrawn, settled(key, notice, caller, context) + made(by: decision))
        case .used(let key): (.used, about(key))
        case .expired(let key, let reason): (.expired, about(key) + Fields(.reason, reason.rawValue))
        case .upgradeRequested(let requester, let resource): (.upgradeRequested, who(requester, resource))
        case .carriedOver(let requester, let resource, let program):
            (.carriedOver, who(requester, resource) + Fields(.previousExecutableSHA256, program.sha256))
        case .muted(let scope, let caller): (.muted, decided(by: caller) + muted(scope, by: caller))
        case .unmuted(let scope, let caller): (.unmuted, decided(by: caller) + muted(scope, by: caller))
        case .accessBlocked(let requester, let resource, let code, let repeated):
            (.accessBlocked, who(requester, resource) + Fields(.reason, code.rawValue) + Fields(.repeated, repeated))
        case .refusedByPolicy(let requester, let resource, let rule, let repeated):
            (.restrictedByPolicy, who(requester, resource) + cause("request", rule) + Fields(.repeated, repeated))
        case .refusalsCounted(let counted): (.refusalsCounted, describe(counted))
        case .restrictedByPolicy(let key, let rule, let decision):
            (.restrictedByPolicy, about(key) + cause("policy", rule, decision))
        case .revokedByAdministrator(let key, let rule, let leases, let decision):
            (.revokedByAdministrator, about(key) + cause("policy", rule, decision) + Fields(.leases, leases.sorted()))
        case .policyChanged(let policy, let source): (.policyChanged, describe(policy, source))
        case .sessionStarted(let session): (.sessionStarted, describe(session))
        case .sessionStopped(let session, let outcome): (.sessionStopped, describe(session) + describe(outcome))
        case .sessionPaused(let session, let client, let user, let absence):
            (.sessionPaused, about(session, client, user) + Fields(.reason, absence.rawValue))
        case .sessionResumed(let session, let client, let user, let absence):
            (.sessionResumed, about(session, client, user) + Fields(.reason, absence.rawValue))
        case .recognizerFailed(let session, let client, let user, let reason):
            (.recognizerFailed, about(session, client, user) + Fields(.reason, reason))
        case .engineChanged(let tasks, let from, let to, let user):
            (.engineChanged, change(of: tasks, from, to) + Fields(.user, user))
        case .collectorChanged(let from, let to, let url):
            (.collectorChanged, Fields(.previous, orNull: from) + Fields(.collector, orNull: to) + Fields(.url, url))
        case .monitor(let monitor, let occurrence): describe(occurrence, of: monitor)
        case .dataRetained(let session, let client, let user, let item, let kind, let bytes, let until, let location):
            (
                .dataRetained,
                about(session, client, user)
                    + kept(item, kind, bytes, until.map { Timestamp($0).text } ?? "untilWithdrawn", location)
            )
        case .dataNotKept(let session, let client, let user, let kind, let reason):
            (.dataNotKept, about(session, client, user) + Fields(.dataKind, kind) + Fields(.reason, reason))
        case .dataErased(let items, let kinds, let client, let user, let reason):
            (.dataErased, erased(items, kinds, client, user) + Fields(.reason, reason.rawValue))
        case .dataShared(let data): (.dataShared, describe(data))
        case .requestReceived(let request): (.requestReceived, describe(request))
        case .requestAnswered(let request, let outcome, let records, let items, let kept):
            (
                .requestAnswered,
                describe(request) + Fields(.outcome, outcome)
                    + (request.right == .erasure ? erased(records, items, kept) : Fields())
            )
        case .exportMade(let scope, let format, let sha256, let size, let caller):
            (.exportMade, personal(caller) + exported(scope, format, sha256, size))
        case .recovered(let sessions):
            (.recovery, Fields(.reason, "restarted") + Fields(.sessions, sessions))
        }
    }
}

/// What all records of a log have in common.
public struct RecordContext: Sendable {
    /// `nil`: records name no pseudonym.
    public var subjects: SubjectPseudonyms?
    /// `nil`: each client answers for its own use, under the name it declares; VoiceGate itself keeps nothing.
    public var controller: Controller?
    /// The applicable law, such as `DE`, if configured.
    public var jurisdiction: String?

    public init(subjects: SubjectPseudonyms? = nil, controller: Controller? = nil, jurisdiction: String? = nil) {
        self.subjects = subjects
        self.controller = controller
        self.jurisdiction = jurisdiction
    }
}

/// The controller of the data (GDPR, article 4(7)).
public struct Controller: Sendable, Hashable, Decodable {
    public let name: String
    public let address: String?
    public let contact: String?

    public init(name: String, address: String?, contact: String?) {
        self.name = name
        self.address = address
        self.contact = contact
    }
}

/// Names persons in the records of one log without their user numbers.
///
/// Each log has its own key, so that the pseudonyms of two logs have nothing in common, and a reader of a record
/// without the key cannot find the user by trying all numbers.
public final class SubjectPseudonyms: Sendable {
    public static let keySize = 32

    private let key: SymmetricKey
    /// A machine has few persons, and each record names one.
    private let known = Mutex<[UInt32: String]>([:])

    /// - Returns: `nil` unless the key has 32 bytes.
    public init?(key: Data) {
        guard key.count == Self.keySize else { return nil }
        self.key = SymmetricKey(data: key)
    }

    /// `s-` and the first 16 hexadecimal digits of HMAC-SHA256 over the user's number in decimal digits.
    public func subject(ofUser user: UInt32) -> String {
        known.withLock { known in
            if let subject = known[user] { return subject }
            let code = HMACSHA256.authenticationCode(for: String(user).utf8, using: key)
            let subject = "s-" + Hexadecimal.encode(code.prefix(8))
            if known.count < 1024 { known[user] = subject }
            return subject
        }
    }
}
