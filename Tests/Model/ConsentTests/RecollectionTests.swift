import Authorization
import Foundation
import TestSupport
import Testing

@testable import Consent

@Suite("The log's summary for the gate")
struct RecollectionTests {
    private func session(_ identifier: String) -> SessionDescription {
        SessionDescription(
            identifier: identifier, requester: LedgerSamples.requester, grants: [.microphone: "l"], device: "default")
    }

    private let outcome = SessionOutcome(reason: "ended", frames: 0)

    @Test("sessions without an end are known in the order of their starts, until a recovery names them")
    func openSessions() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        for name in ["a", "b", "c"] { try await log.record(.sessionStarted(session(name))) }
        try await log.record(.sessionStopped(session("b"), outcome))
        #expect(try await log.verifyAtStart().openSessions == ["a", "c"])
        try await log.record(.recovered(sessions: ["a", "c"]))
        try await log.record(.sessionStarted(session("d")))
        #expect(try await log.verifyAtStart().openSessions == ["d"])
    }

    @Test("of the notices about one client, resource and language the last one is remembered as it was shown")
    func notices() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        let texts = try [Language.english, .japanese].map { language in
            let notice = try #require(
                Notice(client: LedgerSamples.requester.client, resource: .microphone, language: language))
            return Prompt(
                cookie: "c", requester: LedgerSamples.requester, resource: .microphone, question: .firstUse,
                notice: notice)
        }
        for prompt in texts + texts { try await log.record(.noticeShown(prompt, asked: 0)) }
        let notices = try await log.shownNotices()
        #expect(Set(notices.map(\.subject)).count == 2)
        #expect(Set(notices.map(\.text)) == Set(texts.map(\.notice.text)))
    }

    @Test("a client that a monitor started is remembered with its boot until its end is recorded")
    func startedClients() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        let monitor = MonitorRegistration(
            identifier: "m", user: 1000, client: LedgerSamples.identifier, kind: .soundBegan, action: .start)
        let process = ProcessIdentity(processIdentifier: 7, startTime: 70)
        try await log.record(.monitor(monitor, .started(process, boot: "present")))
        let started = try await log.startedClients()
        #expect(started.map(\.monitor) == [monitor])
        #expect(started.map(\.process) == [process])
        #expect(started.map(\.boot) == ["present"])
        try await log.record(.monitor(monitor, .exited(.status(0))))
        #expect(try await log.startedClients().isEmpty)
    }

    @Test("erased records are not remembered")
    func erased() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        try await log.record(.sessionStarted(session("a")))
        _ = try await log.erase(RightsScope(session: "a"))
        #expect(try await log.verifyAtStart().openSessions.isEmpty)
    }
}
