import Authorization
import Foundation
import TestSupport
import Testing

@testable import SocketAPI

@Suite("The environment of a started client")
struct MonitorLaunchTests {
    private func event(_ phrase: String, at seconds: Double) -> MonitorEvent {
        let monitor = MonitorRegistration(
            identifier: "of \(phrase)", user: 1000, client: Samples.identifier("a.b"),
            kind: .keyPhrase(phrase), action: .start)
        return MonitorEvent(.triggered, of: monitor, time: Date(timeIntervalSince1970: seconds))
    }

    @Test("all events, newest last, which is the one that the other variables are of")
    func order() throws {
        let launch = MonitorLaunch(events: [event("wake up", at: 1), event("go on", at: 3)])
        let variables = launch.environment
        #expect(variables["VOICEGATE_PHRASE"] == "go on")
        #expect(variables["VOICEGATE_MONITOR"] == "of go on")
        #expect(variables["VOICEGATE_LAUNCH_REASON"] == "keyPhrase")
        #expect(variables["VOICEGATE_TIME"] == "1970-01-01T00:00:03.000Z")
        #expect(variables["VOICEGATE_EVENTS"]?.split(separator: "\n").count == 2)
    }
}
