import Authorization
import Crypto
import Foundation

/// Which event makes which kind of record with which fields. Names are written in full; a field that does not apply is
/// left out, one that is known to be empty is `null` or an empty list.
extension RecordContent {
    /// - Parameter change: kept as the field `change`, so that the stored decisions can be rebuilt from the records.
    init(_ event: LedgerEvent, changing change: StoredChange?) {
        var (kind, fields) = Self.describe(event)
        if let change { fields["change"] = change.json }
        self.init(kind: kind, fields: fields)
    }

    private static func describe(_ event: LedgerEvent) -> (RecordKind, [String: JSONValue]) {
        switch event {
        case .noticeShown(let prompt):
            (.noticeShown, asked(prompt))
        case .granted(let prompt, let scope, let fidelity, let indication, let notice):
            (
                .granted,
                decision(prompt, indication, notice) + [
                    "scope": .string(scope.rawValue), "fidelity": .string(fidelity.rawValue),
                ]
            )
        case .denied(let prompt, let indication, let notice):
            (.denied, decision(prompt, indication, notice))
        case .deferred(let prompt, let indication, let notice):
            (.deferred, decision(prompt, indication, notice))
        case .decidedInSettings(let key, let verdict, let terms, let caller):
            (verdict == .authorized ? .granted : .denied, settled(key, by: caller) + described(terms))
        case .withdrawn(let key, let caller):
            (.withdrawn, settled(key, by: caller))
        case .used(let key):
            (.used, about(key))
        case .expired(let key, let reason):
            (.expired, about(key) + ["reason": .string(reason.rawValue)])
        case .upgradeRequested(let requester, let resource):
            (.upgradeRequested, who(requester) + about(resource))
        case .carriedOver(let requester, let resource, let program):
            (
                .carriedOver,
                who(requester) + about(resource) + ["previousExecutableSHA256": .string(program.sha256)]
            )
        case .muted(let caller):
            (.muted, decided(by: caller))
        case .unmuted(let caller):
            (.unmuted, decided(by: caller))
        case .accessBlocked(let requester, let resource, let code, let repeated):
            (
                .accessBlocked,
                who(requester) + about(resource)
                    + ["reason": .string(code.rawValue), "repeated": .integer(Int64(repeated))]
            )
        case .policyChanged(let policy, let source):
            (.policyChanged, describe(policy, source))
        case .sessionStarted(let session):
            (.sessionStarted, describe(session))
        case .sessionStopped(let session, let outcome):
            (.sessionStopped, describe(session) + describe(outcome))
        case .recognizerFailed(let session, let client, let reason):
            (
                .recognizerFailed,
                ["session": .string(session), "client": .string(client.rawValue), "reason": .string(reason)]
            )
        case .monitor(let monitor, let occurrence):
            describe(occurrence, of: monitor)
        case .dataShared(let shared):
            (.dataShared, describe(shared))
        }
    }

    private static func who(_ requester: Requester) -> [String: JSONValue] {
        evidence(requester.caller) + [
            "client": .string(requester.client.identifier.rawValue),
            "clientName": .string(requester.client.displayName),
            "user": .integer(Int64(requester.caller.user)),
            "executable": .string(requester.caller.executable.path),
            "executableSHA256": .string(requester.caller.executable.sha256),
        ]
    }

    /// How the program was told; where VoiceGate's command line asked for it, its own process, too.
    private static func evidence(_ caller: Caller) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["evidence": .string(caller.evidence.kind)]
        switch caller.evidence {
        case .flatpak(let name), .snap(let name): fields["sandbox"] = .string(name)
        case .script(let interpreter): fields["interpreter"] = .string(interpreter.path)
        case .untrusted(let reason): fields["distrust"] = .string(reason)
        case .interpreter, .executable: break
        }
        if let unit = caller.unit { fields["unit"] = .string(unit.description) }
        if let responsible = caller.responsible {
            fields["responsibleProcess"] = .integer(Int64(responsible.processIdentifier))
        }
        return fields
    }

    private static func about(_ resource: Resource) -> [String: JSONValue] {
        ["resource": .string(resource.rawValue)]
    }

    private static func shown(_ notice: Notice) -> [String: JSONValue] {
        let digest = SHA256.hash(data: Data(notice.text.utf8))
        return [
            "notice": .string(notice.text),
            "noticeSHA256": .string(Hexadecimal.encode(digest)),
            "language": .string(notice.language.rawValue),
            "dataKinds": .array(notice.practices.kinds.map { .string($0.rawValue) }),
            "purpose": .string(notice.practices.purpose),
            "retention": JSONValue(notice.practices.retention),
            "recipients": notice.practices.recipients.map { .array($0.map(JSONValue.string)) } ?? .null,
        ]
    }

    private static func asked(_ prompt: Prompt) -> [String: JSONValue] {
        who(prompt.requester) + about(prompt.resource) + shown(prompt.notice) + [
            "question": .string(word(for: prompt.question))
        ]
    }

    private static func word(for question: Question) -> String {
        switch question {
        case .firstUse: "firstUse"
        case .identityChanged: "identityChanged"
        case .upgradeToAlways: "upgradeToAlways"
        case .review: "review"
        case .temporaryFullFidelity: "temporaryFullFidelity"
        }
    }

    private static func decision(_ prompt: Prompt, _ indication: Indication, _ notice: UInt64) -> [String: JSONValue] {
        asked(prompt) + [
            "indication": .string(indication.rawValue), "noticeRecord": .integer(Int64(clamping: notice)),
        ]
    }

    private static func about(_ key: DecisionKey) -> [String: JSONValue] {
        about(key.resource) + ["client": .string(key.client.rawValue), "user": .integer(Int64(key.user))]
    }

    private static func settled(_ key: DecisionKey, by caller: Caller) -> [String: JSONValue] {
        about(key) + decided(by: caller) + ["indication": .string(Indication.settings.rawValue)]
    }

    private static func described(_ terms: Terms?) -> [String: JSONValue] {
        guard let terms else { return [:] }
        return ["scope": .string(terms.scope.rawValue), "fidelity": .string(terms.fidelity.rawValue)]
    }

    static func decided(by caller: Caller) -> [String: JSONValue] {
        [
            "decidedByUser": .integer(Int64(caller.user)),
            "decidedByExecutable": .string(caller.executable.path),
            "decidedByExecutableSHA256": .string(caller.executable.sha256),
        ]
    }

    private static func describe(_ policy: Policy, _ source: PolicyProvenance) -> [String: JSONValue] {
        let rules = policy.rules.map { rule in
            JSONValue.object(
                hours(of: rule) + [
                    "resource": JSONValue(rule.resource?.rawValue),
                    "client": JSONValue(rule.client?.rawValue),
                    "user": rule.user.map { .integer(Int64($0)) } ?? .null,
                    "reason": JSONValue(rule.reason),
                ])
        }
        let timeZone: [String: JSONValue] =
            policy.hasHours ? ["timeZone": .string(policy.timeZone.identifier)] : [:]
        return timeZone + [
            "rules": .array(rules),
            "files": .object(source.files.mapValues(JSONValue.string)),
            "brokenFiles": .object(source.broken.mapValues(JSONValue.string)),
        ]
    }

    private static func hours(of rule: PolicyRule) -> [String: JSONValue] {
        guard let hours = rule.hours else { return [:] }
        return [
            "hours": .array(hours.windows.map { .string($0.text) }),
            "days": .array(hours.sortedDays.map { .string($0.rawValue) }),
        ]
    }

    private static func describe(_ session: SessionDescription) -> [String: JSONValue] {
        let grants = session.grants.map { ($0.key.rawValue, JSONValue.string($0.value)) }
        return who(session.requester) + [
            "session": .string(session.identifier),
            "grants": .object(Dictionary(grants) { first, _ in first }),
            "device": JSONValue(session.device),
            "sharing": .string(session.sharing.rawValue),
        ]
    }

    private static func describe(_ shared: SharedData) -> [String: JSONValue] {
        [
            "session": .string(shared.session),
            "client": .string(shared.client.rawValue),
            "user": .integer(Int64(shared.user)),
            "recipients": .array(shared.recipients.map(JSONValue.string)),
            "dataKinds": .array(shared.kinds.map { .string($0.rawValue) }),
            // Nobody has seen it leave.
            "basis": .string("declared"),
        ]
    }

    private static func describe(_ outcome: SessionOutcome) -> [String: JSONValue] {
        [
            "reason": .string(outcome.reason),
            "frames": .integer(outcome.frames),
            // Whole numbers only: 16 frames are a millisecond.
            "milliseconds": .integer(outcome.frames / 16),
        ]
    }
}

/// Later fields win.
private func + (left: [String: JSONValue], right: [String: JSONValue]) -> [String: JSONValue] {
    left.merging(right) { $1 }
}
