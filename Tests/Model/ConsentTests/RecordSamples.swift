import Authorization
import Foundation
import TestSupport

@testable import Consent

/// A record of every kind, in every shape that it has, as the log writes them.
enum RecordSamples {
    static let context = RecordContext(
        subjects: SubjectPseudonyms(key: Data(repeating: 7, count: 32)),
        controller: Controller(name: "Example Ltd", address: "1 Road", contact: nil), jurisdiction: "DE")

    private static let requester = LedgerSamples.requester
    private static let caller = LedgerSamples.requester.caller
    private static let key = LedgerSamples.key
    private static let uuid = "0a1b2c3d-0000-4000-8000-000000000001"
    private static let date = Date(timeIntervalSince1970: 1_790_000_000)

    private static func requester(_ evidence: Evidence) -> Requester {
        Requester(
            caller: Caller(
                process: caller.process, user: 1000, executable: caller.executable, evidence: evidence,
                unit: SystemdUnit("user/notes.service"),
                responsible: ProcessIdentity(processIdentifier: 9, startTime: 1)),
            client: requester.client, presence: .foreground)
    }

    private static let denial = Decision(
        key: key, verdict: .denied, program: nil, terms: nil, indication: .settings, decidedAt: date)

    private static func prompt(_ question: Question, _ resource: Resource = .microphone) -> Prompt? {
        Notice(client: requester.client, resource: resource, question: question, language: .japanese).map {
            Prompt(cookie: "c", requester: requester, resource: resource, question: question, notice: $0)
        }
    }

    private static var session: SessionDescription {
        SessionDescription(
            identifier: uuid, requester: requester, grants: [.microphone: uuid, .speechRecognition: uuid],
            decisionRecords: [.microphone: 4, .speechRecognition: 2], fidelityRecord: 5, device: "default")
    }

    private static var file: SessionDescription {
        SessionDescription(identifier: uuid, requester: requester, grants: [.speechRecognition: uuid], device: nil)
    }

    static func events() -> [(LedgerEvent, DecisionChange?)] {
        (asking() + settings() + policy() + use() + monitors() + rights()).map { ($0, change(with: $0)) }
    }

    private static func change(with event: LedgerEvent) -> DecisionChange? {
        switch event {
        case .noticeShown(let prompt, _): prompt.question == .upgradeToAlways ? .store(LedgerSamples.decision) : nil
        case .granted(_, .once, _, _, _): nil
        case .granted, .renewed, .decidedInSettings(_, .authorized, _, _, _), .upgradeRequested:
            .store(LedgerSamples.decision)
        case .denied, .decidedInSettings: .store(denial)
        case .withdrawn, .expired: .remove(key)
        case .used, .carriedOver: .store(LedgerSamples.storedDecision)
        default: nil
        }
    }

    private static func asking() -> [LedgerEvent] {
        let program = AllowedProgram(sha256: String(repeating: "cd", count: 32), path: nil)
        let questions: [Question] = [
            .firstUse, .identityChanged(previous: program, current: AllowedProgram(caller.executable)),
            .upgradeToAlways, .review, .temporaryFullFidelity(purpose: "A note"),
        ]
        let prompts = questions.compactMap { prompt($0) }
        guard let first = prompts.first, let upgrade = prompt(.upgradeToAlways), let review = prompt(.review) else {
            return []
        }
        let before = ShownNotice(
            subject: .init(key: key, language: .japanese), clientName: "Notes", text: "Before\nit was different")
        return prompts.flatMap { [.asked($0), .noticeShown($0, asked: 1)] } + [
            .noticeChanged(first, previous: before),
            .granted(first, .whileInUse, .full, .terminal, notice: 2),
            .granted(first, .once, .reduced, .scriptedAgent, notice: 2),
            .granted(upgrade, .always, .full, .desktop, notice: 2),
            .renewed(upgrade, .whileInUse, .full, .agent, notice: 2, decision: nil),
            .renewed(review, .always, .full, .agent, notice: 2, decision: 3),
            .denied(first, .terminal, notice: 2), .deferred(first, .desktop, notice: 2),
        ]
    }

    private static let collector = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .records)

    private static func settings() -> [LedgerEvent] {
        let notice = requester.client.manifest.map {
            Notice(settingsOf: $0, resource: .microphone, language: .korean, collector: collector)
        }
        let terms = LedgerSamples.decision.terms
        return [
            .decidedInSettings(key, .authorized, terms, notice: notice, by: caller),
            .decidedInSettings(
                key, .authorized, terms, notice: notice?.confirmed(by: "Your password confirms it."), by: caller),
            .decidedInSettings(key, .denied, nil, notice: notice, by: caller),
            .decidedInSettings(key, .denied, nil, notice: nil, by: caller),
            .decidedInSettings(
                key, .denied, nil, notice: notice,
                by: Caller(process: caller.process, user: 0, executable: caller.executable)),
            .withdrawn(key, notice: notice, decision: 3, by: caller),
            .withdrawn(key, notice: nil, decision: nil, by: caller),
            .used(key), .expired(key, .unused), .expired(key, .clockSetBack), .expired(key, .tooMany),
            .upgradeRequested(requester, .microphone),
            .carriedOver(requester, .microphone, from: AllowedProgram(caller.executable)),
            .muted(.everyone, by: caller), .unmuted(.user(1000), by: caller),
        ]
    }

    private static func policy() -> [LedgerEvent] {
        let window = PolicyHours.Window(start: 60, end: 120).map { [$0] } ?? []
        let rule = PolicyRule(
            resource: .microphone, client: LedgerSamples.identifier, user: 1000,
            hours: PolicyHours(windows: window, days: [.mon]), reason: "Meeting")
        let all = PolicyRule(resource: nil, client: nil, user: nil, reason: nil)
        let source = PolicyProvenance(
            files: ["/etc/voicegate/policy.d/a.yaml": String(repeating: "0", count: 64)], broken: ["/b": "No YAML."])
        return [
            .policyChanged(Policy(rules: [rule, all]), source: source),
            .refusedByPolicy(requester, .microphone, rule, repeated: 2),
            .restrictedByPolicy(key, all, decision: nil), .restrictedByPolicy(key, rule, decision: 3),
            .revokedByAdministrator(key, rule, leases: [uuid], decision: 3),
        ]
    }

    private static var everyKind: ListeningAccount {
        var account = ListeningAccount()
        for ground in ListeningGround.allCases { account.add(1_600, as: .heard(ground)) }
        for reason in DropReason.allCases { account.add(1_600, as: .dropped(reason)) }
        account.add(1_600, as: .paused)
        account.add(1_600, as: .suspended)
        return account
    }

    private static func use() -> [LedgerEvent] {
        let evidence: [Evidence] = [
            .flatpak("org.example.Notes"), .snap("notes"), .script(interpreter: caller.executable), .interpreter,
            .executable, .untrusted("It cannot be told."),
        ]
        let outside = SessionDescription(
            identifier: uuid, requester: requester, grants: session.grants, device: "default", sharing: .verified,
            engine: .outside(name: "wyoming:unix:///run/engine.sock"))
        let moonshine = SpeechEngine(
            name: "Moonshine tiny", version: "0.0.73", model: String(repeating: "ab", count: 32))
        let named = SessionDescription(
            identifier: uuid, requester: requester, grants: session.grants, device: "default", engine: moonshine)
        let ofMonitors = SessionDescription(
            identifier: uuid, requester: requester, grants: session.grants, device: "default", monitorAction: .notify)
        let blocked = RefusalCode.allCases.map { code -> LedgerEvent in
            .accessBlocked(requester, .speechRecognition, code, repeated: 0)
        }
        let programs = evidence.map { evidence -> LedgerEvent in
            .accessBlocked(Self.requester(evidence), .microphone, .untrusted, repeated: 1)
        }
        let retained = [date, nil].map { end -> LedgerEvent in
            .dataRetained(
                session: uuid, LedgerSamples.identifier, user: 1000, item: uuid, .recording, bytes: 12, until: end,
                location: "local")
        }
        var counted = CountedRefusals(user: 1000, since: date)
        counted.add(.denied, repeated: 2)
        counted.add(.muted, repeated: 0)
        return blocked + programs + retained + [
            .engineChanged([.dictation, .files], from: .ofService, to: moonshine, user: 1000),
            .engineChanged([.dictation], from: outside.engine, to: moonshine, user: 1000),
            .sessionStarted(named), .sessionStarted(ofMonitors),
            .sessionStopped(ofMonitors, SessionOutcome(reason: "triggered", account: ListeningAccount())),
            .collectorChanged(from: nil, to: collector, url: "https://audit.example.org"),
            .collectorChanged(from: collector, to: nil, url: nil),
            .refusalsCounted(counted),
            .sessionStarted(session),
            .sessionStopped(session, SessionOutcome(reason: "ended", frames: 16_000)),
            .sessionStopped(session, SessionOutcome(reason: "ended", account: everyKind, isDeviceHeld: true)),
            .sessionStarted(file),
            .sessionStopped(file, SessionOutcome(reason: "failed", frames: 0)),
            .sessionPaused(session: uuid, LedgerSamples.identifier, user: 1000, .locked),
            .sessionResumed(session: uuid, LedgerSamples.identifier, user: 1000, .asleep),
            .recognizerFailed(session: uuid, client: LedgerSamples.identifier, user: 1000, reason: "Died."),
            .dataNotKept(session: uuid, LedgerSamples.identifier, user: 1000, .recording, reason: "No space left."),
            .dataErased(items: [uuid], [.recording], LedgerSamples.identifier, user: 1000, .retentionEnded),
            .dataNotKept(
                session: uuid, LedgerSamples.identifier, user: 1000, .transcript, reason: "The disk is full."),
            .dataShared(
                SharedData(
                    session: uuid, client: LedgerSamples.identifier, user: 1000, recipients: ["Example Cloud"],
                    dataKinds: [.liveAudio])),
            .sessionStarted(outside),
            .dataShared(
                SharedData(
                    session: uuid, client: LedgerSamples.identifier, user: 1000,
                    recipients: ["wyoming:unix:///run/engine.sock"], dataKinds: [.liveAudio], basis: .sent)),
        ]
    }

    private static func monitors() -> [LedgerEvent] {
        let occurrences: [MonitorOccurrence] = [
            .registered(by: caller), .removed(.revoked), .paused(.muted), .resumed, .triggered,
            .failed("No device."), .started(ProcessIdentity(processIdentifier: 7, startTime: 70), boot: uuid),
            .exited(.status(143)), .exited(.unknownStatus), .exited(.whileStopped),
            .removed(.once),
        ]
        return [MonitorKind.soundBegan, .keyPhrase("lights on")].flatMap { kind in
            occurrences.map { occurrence in
                let monitor = MonitorRegistration(
                    identifier: uuid, user: 1000, client: LedgerSamples.identifier, kind: kind, action: .start,
                    isOnce: occurrence == .removed(.once))
                return .monitor(monitor, occurrence)
            }
        }
    }

    private static func rights() -> [LedgerEvent] {
        let scope = RightsScope(client: LedgerSamples.identifier, user: 1000, session: uuid, since: date, before: date)
        let request = RightsRequest(identifier: uuid, right: .erasure, scope: scope, by: caller)
        let access = RightsRequest(
            identifier: uuid, right: .access, scope: RightsScope(subject: "s-0123456789abcdef"), by: caller)
        return [
            .requestReceived(request),
            .requestAnswered(request, .partly, records: 9, items: 1, kept: [(3, .decisionInForce)]),
            .requestReceived(access),
            .requestAnswered(access, .fulfilled),
            .exportMade(scope, format: "bundle", sha256: String(repeating: "0", count: 64), size: 7, by: caller),
            .recovered(sessions: [uuid]),
        ]
    }

    /// What the log writes about itself, besides its first record.
    static let ownContents: [RecordContent] = [
        .keyRotated(previous: key(0), current: key(1), reason: .rotated),
        .keyRotated(previous: nil, current: key(0), reason: .created),
        .restored(LogStart(records: .signed, checkpoint: .ahead, key: .current), lastSigned: 40),
        .checkpointPublished(size: 7, root: .leaf(Data()), destination: "/mnt/usb/checkpoint"),
        .clockJumped(ClockJump(from: Timestamp(date), to: Timestamp(milliseconds: 0))),
        RecordContent(
            kind: .dataErased,
            fields: Fields(.erasedRanges, ErasedRecords.json([3, 4, 5, 9]).first) + Fields(.reason, "requested")),
    ]

    private static func key(_ number: Int) -> String {
        "voicegate.local/log/\(String(repeating: "0", count: 32))+0000000\(number)+AA=="
    }
}
