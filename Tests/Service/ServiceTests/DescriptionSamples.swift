import Authorization
import Foundation
import Speech
import TestSupport

@testable import Service
@testable import SocketAPI

/// One value and its name in the OpenAPI description.
struct DescriptionSample {
    let schema: String
    let value: any Encodable & Sendable

    init(_ schema: String, _ value: any Encodable & Sendable) {
        self.schema = schema
        self.value = value
    }

    /// With every field once, and as little as there may be once.
    static var all: [DescriptionSample] { errors + permissions + sessions + openAI + kept + requests }

    private static let date = Date(timeIntervalSince1970: 1_800_000_000)
    private static let word = TranscribedWord(word: "forward", start: 0.1, end: 0.5, confidence: 0.9)
    private static let noisy = Transcript(text: "t", start: 0, end: 1, words: [], noisyDecibels: 9)
    private static let transcript = Transcript(
        text: "forward", start: 0, end: 1, words: [word], alternatives: ["four word"])

    private static var errors: [DescriptionSample] {
        var full = ErrorReply(
            code: RefusalCode.denied.rawValue, message: "No.", status: .denied, resource: .microphone, client: "a.b",
            settings: "voicegate settings a.b")
        full.setProblem(status: 403, title: "Forbidden")
        let brief = ErrorReply(code: ErrorCode.busy.rawValue, message: "No.")
        return [
            DescriptionSample("ErrorReply", full), DescriptionSample("ErrorReply", brief),
            DescriptionSample("OpenAIError", OpenAIError(full, code: .permissionDenied)),
            DescriptionSample("OpenAIError", OpenAIError(brief, code: .invalidValue, parameter: "language")),
        ]
    }

    private static var permissions: [DescriptionSample] {
        let grant = AuthorizationReply.Grant(scope: .always, fidelity: .reduced)
        let full = AuthorizationReply(
            client: "a.b", name: "A", speechRecognition: .authorized, microphone: .denied, muted: true,
            mutedBy: MutedBy(scope: .everyone),
            speechRecognitionGrant: grant, microphoneGrant: AuthorizationReply.Grant(scope: .once), problems: ["p"])
        let brief = AuthorizationReply(
            client: "a.b", name: "A", speechRecognition: .restricted, microphone: .notDetermined, problems: [])
        let states: [Resource: ResourceState] = [
            .speechRecognition: ResourceState(status: .authorized, grant: grant),
            .microphone: ResourceState(status: .denied),
        ]
        let events: [AuthorizationEvent] = [
            .state(cursor: "c", full, resources: states), .resumed(cursor: "c"),
            .changed(cursor: "c", muted: false, resources: states), .gap,
        ]
        let prompts: [PromptEvent] =
            [.listening, .withdrawn(cookie: "c")] + (LedgerSamples.prompt.map { [.shown(PromptOffer($0))] } ?? [])
        return [DescriptionSample("AuthorizationReply", full), DescriptionSample("AuthorizationReply", brief)]
            + events.map { DescriptionSample("AuthorizationEvent", $0) }
            + prompts.map { DescriptionSample("PromptEvent", $0) }
            + [
                DescriptionSample("SettingsReply", SettingsReply(entries: [entry, brieflyKnown], problems: ["p"])),
                DescriptionSample("MuteReply", MuteReply(muted: false)),
                DescriptionSample(
                    "MuteReply", MuteReply(muted: true, mutedBy: MutedBy(scope: .user, program: "/usr/bin/socat"))),
                DescriptionSample(
                    "SettingsReply",
                    SettingsReply(
                        entries: [], muted: true, mutedBy: MutedBy(scope: .everyone), problems: [], isPartial: true)),
            ]
    }

    private static var brieflyKnown: SettingsEntry {
        SettingsEntry(client: "a.b", name: "A", resource: .microphone, status: .denied)
    }

    private static var entry: SettingsEntry {
        var entry = brieflyKnown
        (entry.decidedAt, entry.usedAt, entry.reviewedAt) = (date, date, date)
        (entry.expiresAt, entry.reviewAt) = (date, date)
        (entry.indication, entry.verdict, entry.scope) = (.settings, .denied, .always)
        (entry.upgrade, entry.fidelity, entry.question) = (.asked, .full, .review)
        let program = AllowedProgram(sha256: String(repeating: "0", count: 64), path: "/usr/bin/a", size: 1)
        entry.program = SettingsEntry.Program(program)
        entry.presentProgram = entry.program
        (entry.isChanged, entry.offersFidelity, entry.isAllowedOnce) = (true, true, true)
        (entry.usageDescription, entry.notice, entry.restriction) = ("u", "n", "r")
        entry.recipients = ["somebody"]
        (entry.agreementSHA256, entry.programSHA256) = ("00", "00")
        entry.new = "n"
        return entry
    }

    private static var sessions: [DescriptionSample] {
        let events: [DictationEvent] = [
            .started(session: "s", device: "default", grants: [.speechRecognition: "l", .microphone: "m"]),
            .started(session: "s", device: nil, grants: [.speechRecognition: "l"]), .speechStarted(at: 0),
            .partial(PartialTranscript(text: "for", stablePrefix: 0)), .final(transcript), .final(noisy),
            .progress(seconds: 1, duration: 2), .progress(seconds: 1, duration: nil), .level(-30), .sound([1, -2]),
            .paused(reason: .background), .resumed(reason: .suspended), .overrun(lostFrames: 7),
            .ended(.failed, message: "m"), .ended(.ended, message: nil),
        ]
        let running = IndicatorReply.Session(
            session: "s", client: "a.b", name: "A", device: "default", processIdentifier: 1, startedAt: date,
            endedAt: date, sharing: .verified, held: true, phrases: ["p"], recognizer: "r")
        return events.map { DescriptionSample("DictationEvent", TimedDictationEvent(time: 1, event: $0)) }
            + [
                DescriptionSample("TranscriptionReply", TranscriptionReply(segments: [transcript, noisy])),
                DescriptionSample("IndicatorReply", IndicatorReply(sessions: [running])),
                DescriptionSample(
                    "IndicatorReply",
                    IndicatorReply(sessions: [], muted: true, mutedBy: MutedBy(scope: .user, program: "/usr/bin/socat"))
                ),
                DescriptionSample(
                    "DevicesReply",
                    DevicesReply(devices: [CaptureDevice(name: "default", description: "d", problem: "p")])),
                DescriptionSample(
                    "MonitorsReply",
                    MonitorsReply(monitors: [
                        MonitorsReply.Monitor(
                            monitor: UUID().uuidString, client: "a.b", kind: "keyPhrase", phrase: "p", action: .notify,
                            repeats: false, state: .paused, reason: "denied", failures: 1, failure: "f",
                            nextAttempt: date)
                    ])),
                DescriptionSample("MonitorEvent", MonitorEvent(.failed, of: monitor, reason: "f")),
            ]
    }

    private static var monitor: MonitorRegistration {
        MonitorRegistration(
            identifier: UUID().uuidString, user: 1000, client: Samples.identifier("a.b"),
            kind: .keyPhrase("p"), action: .start)
    }

    private static var openAI: [DescriptionSample] {
        let model = OpenAIModel(
            id: "moonshine-tiny-en", created: 0, ownedBy: "moonshine-voice", name: "Moonshine tiny", version: "0.0.73",
            languages: ["en"], aliases: ["whisper-1"])
        let verbose = OpenAIVerboseTranscription(
            [transcript, noisy], duration: 1, language: "english", granularities: [.segment, .word])
        return [
            DescriptionSample("OpenAITranscription", OpenAITranscription(text: "t")),
            DescriptionSample("OpenAIVerboseTranscription", verbose),
            DescriptionSample("OpenAITranscriptEvent", OpenAITranscriptEvent.delta("t")),
            DescriptionSample(
                "OpenAITranscriptEvent",
                ["error": OpenAIError(ErrorReply(code: "busy", message: "m"), code: .busy).error]),
            DescriptionSample("OpenAITranscriptEvent", OpenAITranscriptEvent.done("t")),
            DescriptionSample("OpenAIModelList", OpenAIModelList([model])),
        ]
    }

    private static var kept: [DescriptionSample] {
        let entry = HistoryEntry(
            item: "i", session: "s", client: "a.b", name: "A", kind: .transcript, date: date, until: date, bytes: 1,
            text: "t", problem: "p")
        let erasure = RecordErasureReply(
            records: 1, items: 1,
            kept: [RecordErasureReply.Kept(records: 1, reason: .sessionRunning, command: "c")], request: "r")
        return [
            DescriptionSample("HistoryEntry", entry), DescriptionSample("RecordErasureReply", erasure),
            DescriptionSample("KeptUtterance", KeptUtterance(text: "t", start: 0, end: 1)),
            DescriptionSample(
                "KeepingReply",
                KeepingReply(clients: [
                    KeepingReply.Client(
                        client: "a.b", name: "A", declared: ["recording": .untilWithdrawn],
                        agreed: ["recording": .limited(7, .days)])
                ])),
            DescriptionSample("ErasureReply", ErasureReply(erased: 1)),
            DescriptionSample("ExportReply", ExportReply(record: 1, signature: "s")),
            DescriptionSample(
                "BackupReply", BackupReply(folder: "/f", records: 1, sha256: String(repeating: "0", count: 64))),
            DescriptionSample(
                "CollectorReply",
                CollectorReply(
                    url: "https://collector.example", name: "n", purpose: "p", send: .records, origin: "o", keys: ["k"])
            ),
            DescriptionSample("LogGrowthLine", LogGrowthLine(size: 1)),
            DescriptionSample("CheckpointReply", CheckpointReply(checkpoint: "c", keys: ["k"], retired: [])),
            DescriptionSample("ConsistencyReply", ConsistencyReply(from: 1, to: 2, hashes: ["h"], root: "r")),
            DescriptionSample("CosignatureReply", CosignatureReply(witnesses: ["w"])),
            DescriptionSample(
                "PublicationsReply",
                PublicationsReply(
                    publications: [.init(size: 1, time: "t", destination: "d")],
                    cosignatures: [.init(size: 1, witness: "w", seconds: 1)])),
            DescriptionSample(
                "EngineListReply",
                EngineListReply(
                    engines: [
                        EngineReply(
                            id: "i", name: "n", version: "v", description: "d", languages: ["en"],
                            tasks: EngineTask.allCases, codeLicences: ["MIT"], weightsLicence: "MIT", isFree: true,
                            download: 1, size: 1, memory: 1, measured: [.init(set: "s", errors: 12.2, cpu: 0.05)],
                            state: .damaged, faults: ["x"], digest: "d", source: "s", folder: "f", usedFor: [.files])
                    ], configured: "c")),
            DescriptionSample(
                "HealthReply",
                HealthReply(
                    version: "v", mode: .enforced, processIdentifier: 1, muted: false, log: .verifying, recognizer: "r",
                    limits: ServiceQuotas(servesOneUser: true).limits)),
            DescriptionSample(
                "DiagnosisReply",
                DiagnosisReply(
                    stateDirectory: "s", clientsDirectory: "c",
                    policy: DiagnosisReply.Policy(
                        folder: "f", files: ["a"], broken: ["b": "c"], rules: 1, rulesInForce: 1, nextChange: date,
                        timeZone: "UTC"), manifests: ["m": "p"], agent: .script, modelFolder: "f",
                    engine: DiagnosisReply.Engine(name: "e", problem: "p"),
                    recognizers: [
                        DiagnosisReply.Recognizer(
                            id: "i", name: "n", model: "m", tasks: ["dictation"], started: true, problem: "p")
                    ],
                    anchors: DiagnosisReply.Anchors(
                        size: 4, signed: 3, signedUntil: "t", signingProblem: "p", published: 3, witnessed: 2,
                        quorum: "q", journal: 1, journalLine: "l", journalProblem: "p"))),
            DescriptionSample(
                "DictationsReply",
                DictationsReply(sessions: [
                    DictationsReply.Session(
                        session: "s", client: "a.b", device: "d", startedAt: date, paused: [.suspended])
                ])),
        ]
    }

    private static var requests: [DescriptionSample] {
        [
            DescriptionSample(
                "AuthorizationRequest", AuthorizationRequest(resource: .microphone, scope: .always, language: "en")),
            DescriptionSample("TemporaryFidelityRequest", TemporaryFidelityRequest(purposeKey: "p")),
            DescriptionSample("PromptAnswer", PromptAnswer(answer: .once, fidelity: .full)),
            DescriptionSample(
                "SettingsChange",
                SettingsChange(
                    resource: .microphone, choice: .allow, scope: .always, fidelity: .full, agreementSHA256: "00",
                    programSHA256: "00")),
            DescriptionSample(
                "ManifestUpload", ManifestUpload(manifest: Data([1]), translations: ["ja": Data([2])])),
            DescriptionSample(
                "DictationRequest",
                DictationRequest(
                    device: "d", waitForDevice: true, stopAfterSilence: 1, endSilence: 1, taskHint: .search,
                    contextPhrases: ["p"], words: "w", grammar: "g", alternatives: 1, language: "en", level: true,
                    sound: true,
                    ask: true, suspended: true, keep: false)),
            DescriptionSample(
                "TranscriptionRequest",
                TranscriptionRequest(
                    taskHint: .command, contextPhrases: ["p"], words: "w", grammar: "g", alternatives: 1)),
            DescriptionSample(
                "MonitorRequest",
                MonitorRequest(
                    client: "a.b", kind: "keyPhrase", phrase: "p", action: .start, repeats: false)),
            DescriptionSample(
                "RecordErasureRequest",
                RecordErasureRequest(client: "a.b", before: date, session: UUID().uuidString, user: 1)),
            DescriptionSample(
                "ExportRequest",
                ExportRequest(
                    format: "csv", sha256: String(repeating: "0", count: 64), size: 1, client: "a.b", since: date,
                    until: date, subject: "1")),
            DescriptionSample("CosignatureRequest", CosignatureRequest(checkpoint: "c")),
            DescriptionSample("PublicationRequest", PublicationRequest(checkpoint: "c", destination: "d")),
            DescriptionSample("EngineRequest", EngineRequest(folder: "/f")),
            DescriptionSample("EngineUse", EngineUse(id: "i", task: .keyPhrases)),
        ]
    }
}
