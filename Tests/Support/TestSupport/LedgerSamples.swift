import Authorization
import Base
import Foundation

/// A client with all that a record can hold of one, and the events it goes through.
public enum LedgerSamples {
    public static let identifier = ClientIdentifier.unregistered(executable: "notes")

    public static let requester = Requester(
        caller: Caller(
            process: ProcessIdentity(processIdentifier: 4242, startTime: 77), user: 1000,
            executable: Executable(
                path: "/usr/bin/notes", device: 1, inode: 2, sha256: String(repeating: "ab", count: 32))),
        client: Client(
            manifest: Manifest(
                identifier: identifier, name: "Notes", executablePath: "/usr/bin/notes",
                usageDescriptions: [.microphone: "To hear you.", .speechRecognition: "To write down what you say."],
                practices: DataPractices(
                    kinds: [.liveAudio, .transcript], purpose: "Dictation of notes", retention: nil, recipients: []))),
        presence: .foreground)

    public static let key = DecisionKey(user: 1000, client: identifier, resource: .microphone)

    public static let decision = Decision(
        key: key, verdict: .authorized, program: AllowedProgram(requester.caller.executable),
        terms: Terms(
            scope: .whileInUse, usedAt: Moment(boot: "b", sinceBoot: 5, wall: 1_790_000_000_250),
            reviewedAt: Moment(boot: "b", sinceBoot: 5, wall: 1_790_000_000_250),
            agreed: prompt?.notice.agreement ?? Agreement()), indication: .terminal,
        decidedAt: Date(timeIntervalSince1970: 1_790_000_000.25))

    /// The decision as the story's record makes it.
    public static var storedDecision: Decision {
        var stored = decision
        stored.record = 2
        return stored
    }

    public static let session = SessionDescription(
        identifier: "session-1", requester: requester, grants: [.microphone: "lease-1", .speechRecognition: "lease-2"],
        device: "default")

    /// A prompt for the microphone.
    public static var prompt: Prompt? {
        Notice(client: requester.client, resource: .microphone).map {
            Prompt(cookie: "cookie", requester: requester, resource: .microphone, question: .firstUse, notice: $0)
        }
    }

    /// Notice, grant, session, denial, each with its change.
    public static var story: [(event: LedgerEvent, change: DecisionChange?)] {
        let denial = Decision(
            key: DecisionKey(user: 1000, client: identifier, resource: .speechRecognition), verdict: .denied,
            program: nil, terms: nil, indication: .settings, decidedAt: Date(timeIntervalSince1970: 1_790_000_100))
        let asked: [(event: LedgerEvent, change: DecisionChange?)] =
            prompt.map {
                [
                    (.noticeShown($0, asked: 0), nil),
                    (.granted($0, .whileInUse, .full, .terminal, notice: 1), .store(decision)),
                ]
            } ?? []
        return asked + [
            (.sessionStarted(session), nil),
            (.sessionStopped(session, SessionOutcome(reason: "ended", frames: 32_000)), nil),
            (.decidedInSettings(denial.key, .denied, nil, notice: nil, by: requester.caller), .store(denial)),
        ]
    }
}

extension SessionOutcome {
    /// All of the frames were heard in the foreground.
    public init(reason: String, frames: Int64) {
        self.init(reason: reason, account: ListeningAccount([.heard(.foreground): frames]))
    }
}
