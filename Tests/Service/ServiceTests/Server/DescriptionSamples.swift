import Authorization
import Foundation
import Speech
import TestSupport

@testable import SocketAPI
@testable import SpeechRoutes

/// A value that `generate-swift` does not write, or an event, and its name in the OpenAPI description.
struct DescriptionSample {
    let schema: String
    let value: any Encodable & Sendable

    init(_ schema: String, _ value: any Encodable & Sendable) {
        self.schema = schema
        self.value = value
    }

    /// With every field once, and as little as there may be once.
    static var all: [DescriptionSample] { errors + permissions + sessions + openAI }

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
            mutedBy: MutedBy(scope: .user, program: "/usr/bin/socat"),
            speechRecognitionGrant: grant, microphoneGrant: AuthorizationReply.Grant(scope: .once), problems: ["p"])
        let states: [Resource: ResourceState] = [
            .speechRecognition: ResourceState(status: .authorized, grant: grant),
            .microphone: ResourceState(status: .denied),
        ]
        let events: [AuthorizationEvent] = [
            .state(cursor: "c", full, resources: states), .resumed(cursor: "c"),
            .changed(cursor: "c", muted: false, changed: states), .gap,
        ]
        let prompts: [PromptEvent] =
            [.listening, .withdrawn(cookie: "c")] + (LedgerSamples.prompt.map { [.shown(PromptOffer($0))] } ?? [])
        return events.map { DescriptionSample("AuthorizationEvent", $0) }
            + prompts.map { DescriptionSample("PromptEvent", $0) }
    }

    private static var sessions: [DescriptionSample] {
        let events: [DictationEvent] = [
            .started(session: "s", device: "default", grants: [.speechRecognition: "l", .microphone: "m"]),
            .started(session: "s", device: nil, grants: [.speechRecognition: "l"]), .speechStarted(at: 0),
            .partial(PartialTranscript(text: "for", stablePrefix: 0)), .final(transcript), .final(noisy),
            .progress(seconds: 1, duration: 2), .progress(seconds: 1, duration: nil), .level(-30), .sound([1, -2]),
            .paused(reason: .background), .resumed(reason: .suspended), .overrun(lostFrames: 7),
            .overrun(lostFrames: 7, cause: .suspended),
            .noSound(decibels: -96),
            .ended(.failed, message: "m"), .ended(.ended, message: nil),
        ]
        return events.map { DescriptionSample("DictationEvent", TimedDictationEvent(time: 1, event: $0)) }
            + [
                DescriptionSample("TranscriptionReply", TranscriptionReply(segments: [transcript, noisy])),
                DescriptionSample(
                    "DevicesReply",
                    DevicesReply(devices: [CaptureDevice(name: "default", description: "d", problem: "p")])),
                DescriptionSample(
                    "KeepingReply",
                    KeepingReply(clients: [
                        KeepingReply.Client(
                            client: "a.b", name: "A", declared: ["recording": .untilWithdrawn],
                            agreed: ["recording": .limited(7, .days)])
                    ])),
            ]
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
            DescriptionSample("OpenAIModelList", OpenAIModelList(data: [model])),
        ]
    }
}
