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

    typealias Step = (LedgerEvent, DecisionChange?)

    static func events() -> [Step] {
        asking() + settings() + (policy() + use() + data() + monitors() + rights()).map { ($0, nil) }
    }

    private static func asking() -> [Step] {
        let program = AllowedProgram(sha256: String(repeating: "cd", count: 32), path: nil)
        let questions: [Question] = [
            .firstUse, .identityChanged(previous: program, current: AllowedProgram(caller.executable)),
            .upgradeToAlways, .review, .temporaryFullFidelity(purpose: "A note"),
        ]
        let prompts = questions.compactMap { prompt($0) }
        let shown = prompts.flatMap { prompt -> [Step] in
            let change = prompt.question == .upgradeToAlways ? DecisionChange.store(LedgerSamples.decision) : nil
            return [(.asked(prompt), nil), (.noticeShown(prompt, asked: 1), change)]
        }
        guard let first = prompts.first, let upgrade = prompt(.upgradeToAlways), let review = prompt(.review) else {
            return []
        }
        let before = ShownNotice(
            subject: .init(key: key, language: .japanese), clientName: "Notes", text: "Before\nit was different")
        return shown + [
            (.noticeChanged(first, previous: before), nil),
            (.granted(first, .whileInUse, .full, .terminal, notice: 2), .store(LedgerSamples.decision)),
            (.granted(first, .once, .reduced, .scriptedAgent, notice: 2), nil),
            (.granted(upgrade, .always, .full, .desktop, notice: 2), .store(LedgerSamples.decision)),
            (.renewed(upgrade, .whileInUse, .full, .agent, notice: 2, decision: nil), .store(LedgerSamples.decision)),
            (.renewed(review, .always, .full, .agent, notice: 2, decision: 3), .store(LedgerSamples.decision)),
            (.denied(first, .terminal, notice: 2), .store(denial)), (.deferred(first, .desktop, notice: 2), nil),
        ]
    }

    private static let collector = RecordCollector(name: "Example Audit", purpose: "to find misuse", send: .records)

    private static func settings() -> [Step] {
        let notice = requester.client.manifest.map {
            Notice(settingsOf: $0, resource: .microphone, language: .korean, collector: collector)
        }
        let confirmed = notice?.confirmed(by: "Your password confirms it.")
        let terms = LedgerSamples.decision.terms
        let root = Caller(process: caller.process, user: 0, executable: caller.executable)
        let program = AllowedProgram(caller.executable)
        return [
            (.decidedInSettings(key, .authorized, terms, notice: notice, by: caller), .store(LedgerSamples.decision)),
            (
                .decidedInSettings(key, .authorized, terms, notice: confirmed, by: caller),
                .store(LedgerSamples.decision)
            ),
            (.decidedInSettings(key, .denied, nil, notice: notice, by: caller), .store(denial)),
            (.decidedInSettings(key, .denied, nil, notice: nil, by: caller), .store(denial)),
            (.decidedInSettings(key, .denied, nil, notice: notice, by: root), .store(denial)),
            (.withdrawn(key, notice: notice, decision: 3, by: caller), .remove(key)),
            (.withdrawn(key, notice: nil, decision: nil, by: caller), .remove(key)),
            (.used(key), .store(LedgerSamples.storedDecision)), (.expired(key, .unused), .remove(key)),
            (.expired(key, .clockSetBack), .remove(key)), (.expired(key, .tooMany), .remove(key)),
            (.upgradeRequested(requester, .microphone), .store(LedgerSamples.decision)),
            (.carriedOver(requester, .microphone, from: program), .store(LedgerSamples.storedDecision)),
            (.muted(.everyone, by: caller), nil), (.unmuted(.user(1000), by: caller), nil),
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
            .refusedByPolicy(requester, .microphone, rule, repeated: 2), .restrictedByPolicy(key, all, decision: nil),
            .restrictedByPolicy(key, rule, decision: 3),
            .revokedByAdministrator(key, rule, leases: [uuid], decision: 3),
        ]
    }

    private static var everyKind: ListeningAccount {
        var account = ListeningAccount()
        for ground in ListeningGround.allCases { account.add(1_600, as: .heard(ground)) }
        for reason in DropReason.allCases { account.add(1_600, as: .dropped(reason)) }
        for kind in [ListeningAccount.Kind.paused, .suspended] { account.add(1_600, as: kind) }
        return account
    }

    private static func live(
        sharing: Sharing? = nil, engine: SpeechEngine = .ofService, monitorAction: MonitorAction? = nil
    ) -> SessionDescription {
        SessionDescription(
            identifier: uuid, requester: requester, grants: session.grants, device: "default", sharing: sharing,
            engine: engine, monitorAction: monitorAction)
    }

    private static func use() -> [LedgerEvent] {
        let evidence: [Evidence] = [
            .flatpak("org.example.Notes"), .snap("notes"), .script(interpreter: caller.executable), .interpreter,
            .executable, .untrusted("It cannot be told."),
        ]
        let outside = live(sharing: .verified, engine: .outside(name: "wyoming:unix:///run/engine.sock"))
        let moonshine = SpeechEngine(
            name: "Moonshine tiny", version: "0.0.73", model: String(repeating: "ab", count: 32))
        let ofMonitors = live(monitorAction: .notify)
        var counted = CountedRefusals(user: 1000, since: date)
        counted.add(.denied, repeated: 2)
        counted.add(.muted, repeated: 0)
        let blocked = RefusalCode.allCases.map { code -> LedgerEvent in
            .accessBlocked(requester, .speechRecognition, code, repeated: 0)
        }
        let programs = evidence.map { evidence -> LedgerEvent in
            .accessBlocked(Self.requester(evidence), .microphone, .untrusted, repeated: 1)
        }
        return blocked + programs + [
            .engineChanged([.dictation, .files], from: .ofService, to: moonshine, user: 1000),
            .engineChanged([.dictation], from: outside.engine, to: moonshine, user: 1000),
            .sessionStarted(live(engine: moonshine)), .sessionStarted(ofMonitors),
            .sessionStopped(ofMonitors, SessionOutcome(reason: "triggered", account: ListeningAccount())),
            .collectorChanged(from: nil, to: collector, url: "https://audit.example.org"),
            .collectorChanged(from: collector, to: nil, url: nil), .refusalsCounted(counted),
            .sessionStarted(session), .sessionStopped(session, SessionOutcome(reason: "ended", frames: 16_000)),
            .sessionStopped(session, SessionOutcome(reason: "ended", account: everyKind, isDeviceHeld: true)),
            .sessionStarted(file), .sessionStopped(file, SessionOutcome(reason: "failed", frames: 0)),
            .recognizerFailed(session: uuid, client: LedgerSamples.identifier, user: 1000, reason: "Died."),
            .sessionStarted(outside),
        ]
    }

    private static func data() -> [LedgerEvent] {
        let client = LedgerSamples.identifier
        func retained(_ end: Date?) -> LedgerEvent {
            .dataRetained(
                session: uuid, client, user: 1000, item: uuid, .recording, bytes: 12, until: end, location: "local")
        }
        func unkept(_ kind: DataKind, _ reason: String) -> LedgerEvent {
            .dataNotKept(session: uuid, client, user: 1000, kind, reason: reason)
        }
        func shared(_ recipient: String, _ basis: SharedData.Basis) -> LedgerEvent {
            .dataShared(
                SharedData(
                    session: uuid, client: client, user: 1000, recipients: [recipient], kinds: [.liveAudio],
                    basis: basis))
        }
        return [
            retained(date), retained(nil), unkept(.recording, "No space left."),
            unkept(.transcript, "The disk is full."),
            .dataErased(
                items: [uuid], [.recording], client, user: 1000, .retentionEnded),
            shared("Example Cloud", .declared), shared("wyoming:unix:///run/engine.sock", .sent),
        ]
    }

    private static func monitors() -> [LedgerEvent] {
        let occurrences: [MonitorOccurrence] = [
            .registered(by: caller), .removed(.revoked), .paused(.muted), .resumed, .triggered,
            .failed("No device."), .started(ProcessIdentity(processIdentifier: 7, startTime: 70), boot: uuid),
            .exited(.status(143)), .exited(.unknownStatus), .exited(.whileStopped), .removed(.once),
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
        let scope = RightsScope(
            client: LedgerSamples.identifier, user: 1000, session: uuid, since: date, before: date)
        let request = RightsRequest(identifier: uuid, right: .erasure, scope: scope, by: caller)
        let access = RightsRequest(
            identifier: uuid, right: .access, scope: RightsScope(subject: "s-0123456789abcdef"), by: caller)
        let kept = RightsAnswer.Kept(records: 3, reason: .decisionInForce)
        return [
            .requestReceived(request), .requestReceived(access),
            .exportMade(
                scope, format: "bundle", sha256: String(repeating: "0", count: 64), size: 7, by: caller),
            .requestAnswered(request, RightsAnswer(outcome: .partly, records: 9, items: 1, kept: [kept])),
            .requestAnswered(access, RightsAnswer(outcome: .fulfilled)),
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
