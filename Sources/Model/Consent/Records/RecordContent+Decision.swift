import Authorization
import Cryptography
import Foundation

/// What the person is asked and decides.
extension RecordContent {
    /// The record of the decision that is withdrawn, renewed or suspended, if known.
    static func made(by decision: UInt64?) -> Fields { .optional("decisionRecord", decision.map(JSONValue.index)) }

    static func asked(_ prompt: Prompt) -> Fields {
        who(prompt.requester) + about(prompt.resource) + ["question": .string(prompt.question.kind.rawValue)]
    }

    static func answered(
        _ prompt: Prompt, _ indication: Indication, _ notice: UInt64, _ context: RecordContext
    ) -> Fields {
        let client = prompt.requester.client
        return asked(prompt) + shown(prompt.notice)
            + basis(prompt.requester.key(for: prompt.resource), name: client.displayName, prompt.notice, context)
            + ["indication": .string(indication.rawValue), "noticeRecord": .index(notice)]
    }

    /// - Parameter notice: as settings show it; `nil` if the client no longer has a manifest.
    static func settled(
        _ key: DecisionKey, _ notice: Notice?, _ caller: Caller, _ context: RecordContext
    ) -> Fields {
        let indication = Indication(settlingFor: key.user, by: caller)
        var fields = about(key) + decided(by: caller) + ["indication": .string(indication.rawValue)]
        if let notice {
            fields = fields + shown(notice) + basis(key, name: notice.clientName, notice, context)
        }
        return fields
    }

    static func allowed(_ scope: Scope, _ fidelity: Fidelity) -> Fields {
        let validity =
            switch scope {
            case .once: "once"
            case .whileInUse: "whileInUse"
            case .always: "untilReviewed"
            }
        return [
            "scope": .string(scope.rawValue), "fidelity": .string(fidelity.rawValue), "validity": .string(validity),
        ]
    }
}

/// The fields that identify the client and the resource.
extension RecordContent {
    static func who(_ requester: Requester) -> Fields {
        evidence(requester.caller) + [
            "client": .string(requester.client.identifier.rawValue),
            "clientName": .string(requester.client.displayName),
            "user": .integer(Int64(requester.caller.user)),
            "executable": .string(requester.caller.executable.path),
            "executableSHA256": .string(requester.caller.executable.sha256),
        ]
    }

    /// How the program was identified; with its own process if VoiceGate's command line asked for it.
    private static func evidence(_ caller: Caller) -> Fields {
        var fields: Fields = ["evidence": .string(caller.evidence.kind)]
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

    static func about(_ resource: Resource) -> Fields { ["resource": .string(resource.rawValue)] }

    static func about(_ key: DecisionKey) -> Fields {
        about(key.resource) + ["client": .string(key.client.rawValue), "user": .integer(Int64(key.user))]
    }

    /// What a person does for themselves, by VoiceGate's own command.
    static func personal(_ caller: Caller) -> Fields { decided(by: caller) + ["user": .integer(Int64(caller.user))] }

    /// Whose mute it is, which the service's administrator may end.
    static func muted(_ scope: MuteScope, by caller: Caller) -> Fields {
        let user = if case .user(let user) = scope { user } else { caller.user }
        return ["mutedFor": .string(scope.kind.rawValue), "user": .integer(Int64(user))]
    }

    /// Who decided, or asked for something, by VoiceGate's own command.
    static func decided(by caller: Caller) -> Fields {
        [
            "decidedByUser": .integer(Int64(caller.user)),
            "decidedByExecutable": .string(caller.executable.path),
            "decidedByExecutableSHA256": .string(caller.executable.sha256),
        ]
    }
}

/// What the person read, and what it comes to.
extension RecordContent {
    /// Lower-case hexadecimal.
    static func sha256(of text: String) -> String { Hexadecimal.encode(SHA256.hash(data: text.utf8)) }

    /// The notice word for word, and the four data items.
    static func shown(_ notice: Notice) -> Fields {
        [
            "notice": .string(notice.text),
            "noticeSHA256": .string(sha256(of: notice.text)),
            "language": .string(notice.language.rawValue),
            "dataKinds": .texts(notice.practices.kinds.map(\.rawValue)),
            "purpose": .string(notice.practices.purpose),
            "retention": JSONValue(notice.practices.retention),
            "recipients": notice.practices.recipients.map { .texts($0) } ?? .null,
            "keptByService": notice.practices.kept.json,
            "agreementSHA256": .string(notice.agreement.sha256),
        ] + .optional("collector", notice.agreement.collector?.json)
            + .optional("confirmation", notice.confirmation.map(JSONValue.string))
    }

    /// The legal basis, the processing of which data, the controller, and how to withdraw.
    static func basis(_ key: DecisionKey, name: String, _ notice: Notice, _ context: RecordContext) -> Fields {
        let practices = notice.practices
        let controller = context.controller ?? Controller(name: name, address: nil, contact: nil)
        return [
            "legalBasis": .string("ExplicitlyExpressedConsent"),
            "processing": .texts(processing(key.resource, practices)),
            "captured": .texts(practices.kinds.map(\.rawValue)),
            "retained": .texts(retained(practices).map(\.rawValue)),
            "transmitted": transmitted(practices),
            "storageLocation": .string("this computer"),
            "controller": controller.json,
            "jurisdiction": JSONValue(context.jurisdiction),
            "withdrawal": .string("voicegate reset \(key.resource.rawValue) --client \(key.client)"),
        ]
    }

    /// Collecting, deriving text from sound, and recording if the client declares that it keeps any.
    private static func processing(_ resource: Resource, _ practices: DataPractices) -> [String] {
        let use =
            switch resource {
            case .microphone: "collect"
            case .speechRecognition: "derive"
            }
        return retained(practices).isEmpty ? [use] : [use, "record"]
    }

    /// Live audio is never kept; other data is if the client declares so.
    private static func retained(_ practices: DataPractices) -> [DataKind] {
        practices.retention == nil ? [] : practices.kinds.filter { $0 != .liveAudio }
    }

    /// `null`: the client declares no recipients, not even an empty list.
    private static func transmitted(_ practices: DataPractices) -> JSONValue {
        guard let recipients = practices.recipients else { return .null }
        return .texts(recipients.isEmpty ? [] : practices.kinds.map(\.rawValue))
    }
}

/// What an administrator forbids, and what that ends. None of it is the person's own choice.
extension RecordContent {
    static func cause(_ cause: String, _ rule: PolicyRule) -> Fields {
        ["cause": .string(cause), "rule": .object(describe(rule)), "indication": .string("policy")]
    }

    private static func describe(_ rule: PolicyRule) -> [String: JSONValue] {
        hours(of: rule) + [
            "resource": JSONValue(rule.resource?.rawValue),
            "client": JSONValue(rule.client?.rawValue),
            "user": rule.user.map { .integer(Int64($0)) } ?? .null,
            "reason": JSONValue(rule.reason),
        ]
    }

    static func describe(_ policy: Policy, _ source: PolicyProvenance) -> Fields {
        let timeZone: Fields = policy.hasHours ? ["timeZone": .string(policy.timeZone.identifier)] : [:]
        return timeZone + [
            "rules": .array(policy.rules.map { .object(describe($0)) }),
            "files": .object(source.files.mapValues(JSONValue.string)),
            "brokenFiles": .object(source.broken.mapValues(JSONValue.string)),
        ]
    }

    private static func hours(of rule: PolicyRule) -> [String: JSONValue] {
        guard let hours = rule.hours else { return [:] }
        return [
            "hours": .texts(hours.windows.map(\.text)),
            "days": .texts(hours.sortedDays.map(\.rawValue)),
        ]
    }
}
