import Authorization
import Base
import Cryptography
import Foundation

/// What the person is asked and decides.
extension RecordContent {
    /// The record of the decision that is withdrawn, renewed or suspended, if known.
    static func made(by decision: UInt64?) -> Fields { Fields(.decisionRecord, decision) }

    static func asked(_ prompt: Prompt) -> Fields {
        who(prompt.requester, prompt.resource) + Fields(.question, prompt.question.kind)
    }

    static func answered(
        _ prompt: Prompt, _ indication: Indication, _ notice: UInt64, _ context: RecordContext
    ) -> Fields {
        let client = prompt.requester.client
        return asked(prompt) + shown(prompt.notice)
            + basis(prompt.requester.key(for: prompt.resource), name: client.displayName, prompt.notice, context)
            + Fields(.indication, indication.rawValue) + Fields(.noticeRecord, notice)
    }

    /// - Parameter notice: as settings show it; `nil` if the client no longer has a manifest.
    static func settled(
        _ key: DecisionKey, _ notice: Notice?, _ caller: Caller, _ context: RecordContext
    ) -> Fields {
        let indication = Indication(settlingFor: key.user, by: caller)
        var fields = about(key) + decided(by: caller) + Fields(.indication, indication.rawValue)
        if let notice {
            fields = fields + shown(notice) + basis(key, name: notice.clientName, notice, context)
        }
        return fields
    }

    static func allowed(_ scope: Scope?, _ fidelity: Fidelity?) -> Fields {
        let validity = scope.map { $0 == .always ? "untilReviewed" : $0.rawValue }
        return Fields(.scope, scope) + Fields(.fidelity, fidelity) + Fields(.validity, validity)
    }
}

/// The fields that identify the client and the resource.
extension RecordContent {
    @FieldsBuilder static func who(_ requester: Requester, _ resource: Resource? = nil) -> Fields {
        Fields(.resource, resource)
        Fields(.client, requester.client.identifier)
        Fields(.clientName, requester.client.displayName)
        Fields(.user, requester.caller.user)
        Fields(.executable, requester.caller.executable.path)
        Fields(.executableSHA256, requester.caller.executable.sha256)
        evidence(requester.caller)
    }

    /// How the program was identified; with its own process if VoiceGate's command line asked for it.
    private static func evidence(_ caller: Caller) -> Fields {
        var fields = Fields(.evidence, caller.evidence.kind)
        switch caller.evidence {
        case .flatpak(let name), .snap(let name): fields[.sandbox] = name
        case .script(let interpreter): fields[.interpreter] = interpreter.path
        case .untrusted(let reason): fields[.distrust] = reason
        case .interpreter, .executable: break
        }
        fields[.unit] = caller.unit?.description
        fields[.responsibleProcess] = caller.responsible?.processIdentifier
        return fields
    }

    static func about(_ key: DecisionKey) -> Fields {
        Fields(.resource, key.resource) + Fields(.client, key.client) + Fields(.user, key.user)
    }

    static func about(_ session: String, _ client: ClientIdentifier, _ user: UInt32?) -> Fields {
        Fields(.session, session) + Fields(.client, client) + Fields(.user, user)
    }

    /// What a person does for themselves, by VoiceGate's own command.
    static func personal(_ caller: Caller) -> Fields { decided(by: caller) + Fields(.user, caller.user) }

    /// Whose mute it is, which the service's administrator may end.
    static func muted(_ scope: MuteScope, by caller: Caller) -> Fields {
        let user = if case .user(let user) = scope { user } else { caller.user }
        return Fields(.mutedFor, scope.kind) + Fields(.user, user)
    }

    /// Who decided, or asked for something, by VoiceGate's own command.
    @FieldsBuilder static func decided(by caller: Caller) -> Fields {
        Fields(.decidedByUser, caller.user)
        Fields(.decidedByExecutable, caller.executable.path)
        Fields(.decidedByExecutableSHA256, caller.executable.sha256)
    }
}

/// What the person read, and what it comes to.
extension RecordContent {
    /// Lower-case hexadecimal.
    static func sha256(of text: String) -> String { Hexadecimal.encode(SHA256.hash(data: text.utf8)) }

    static func changed(from previous: ShownNotice) -> Fields {
        Fields(.previousNoticeSHA256, sha256(of: previous.text))
    }

    /// The notice word for word, and the four data items.
    @FieldsBuilder static func shown(_ notice: Notice) -> Fields {
        Fields(.notice, notice.text)
        Fields(.noticeSHA256, sha256(of: notice.text))
        Fields(.language, notice.language)
        Fields(.dataKinds, notice.practices.kinds)
        Fields(.purpose, notice.practices.purpose)
        Fields(.retention, orNull: notice.practices.retention)
        Fields(.recipients, orNull: notice.practices.recipients)
        Fields(.keptByService, notice.practices.kept.json)
        Fields(.agreementSHA256, notice.agreement.sha256)
        Fields(.collector, notice.agreement.collector)
        Fields(.confirmation, notice.confirmation)
    }

    /// The legal basis, the processing of which data, the controller, and how to withdraw.
    @FieldsBuilder static func basis(
        _ key: DecisionKey, name: String, _ notice: Notice, _ context: RecordContext
    ) -> Fields {
        let practices = notice.practices
        Fields(.legalBasis, "ExplicitlyExpressedConsent")
        Fields(.processing, processing(key.resource, practices))
        Fields(.captured, practices.kinds)
        Fields(.retained, retained(practices))
        // `null`: the client declares no recipients, not even an empty list.
        Fields(.transmitted, orNull: practices.recipients.map { $0.isEmpty ? [] : practices.kinds })
        Fields(.storageLocation, "this computer")
        Fields(.controller, context.controller ?? Controller(name: name, address: nil, contact: nil))
        Fields(.jurisdiction, orNull: context.jurisdiction)
        Fields(.withdrawal, "voicegate reset \(key.resource.rawValue) --client \(key.client)")
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
}

/// What an administrator forbids, and what that ends. None of it is the person's own choice.
extension RecordContent {
    static func cause(_ cause: String, _ rule: PolicyRule, _ decision: UInt64? = nil) -> Fields {
        Fields(.cause, cause) + Fields(.rule, describe(rule).dictionary) + Fields(.indication, "policy")
            + made(by: decision)
    }

    @FieldsBuilder private static func describe(_ rule: PolicyRule) -> Fields {
        Fields(.resource, orNull: rule.resource)
        Fields(.client, orNull: rule.client)
        Fields(.user, orNull: rule.user)
        Fields(.reason, orNull: rule.reason)
        Fields(.hours, rule.hours?.windows.map(\.text))
        Fields(.days, rule.hours?.sortedDays.map(\.rawValue))
    }

    @FieldsBuilder static func describe(_ policy: Policy, _ source: PolicyProvenance) -> Fields {
        Fields(.timeZone, policy.hasHours ? policy.timeZone.identifier : nil)
        Fields(.rules, policy.rules.map { describe($0).dictionary })
        Fields(.files, source.files)
        Fields(.brokenFiles, source.broken)
    }
}
