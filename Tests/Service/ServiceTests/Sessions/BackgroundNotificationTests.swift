import Authorization
import Foundation
import ProgramSupport
import Synchronization
import TestSupport
import Testing

@testable import Sessions
@testable import SocketAPI

/// With a notification server by python-dbusmock.
@Suite("The desktop notification of background sessions", .timeLimit(.minutes(2)))
final class BackgroundNotificationTests {
    private let desktop: MockedNotifications
    private let read = Mutex(0)

    init() async throws { desktop = try await MockedNotifications(capabilities: "body body-markup") }

    /// The summary and the body of the next notification.
    private func told() async -> [String] {
        let place = read.withLock { place in
            defer { place += 1 }
            return place
        }
        await desktop.shown.until { $0.count > place }
        let shown = desktop.shown.values[place]
        return [shown.summary, shown.body]
    }

    func session(_ name: String, _ presence: Presence, paused: Bool = false, device: String? = "mic") -> IndicatorReply
    {
        IndicatorReply(sessions: [
            IndicatorReply.Session(
                session: name, client: "org.example.notes", name: "<b>\(name)", device: device, processIdentifier: 7,
                presence: presence, paused: paused, startedAt: Date())
        ])
    }

    @Test(
        "each session is notified once, with its client, its device and how to stop it; paused sessions and files are not"
    )
    func once() async {
        let notification = BackgroundNotification(environment: desktop.mocked.environment, delay: {})
        await notification.update(session("front", .foreground))
        await notification.update(session("paused", .background, paused: true))
        await notification.update(session("file", .background, device: nil))
        await notification.update(session("first", .background))
        let words = await told()
        #expect(words.contains("“<b>first” listens in the background"))
        #expect(
            words.last == "org.example.notes, process 7, on mic. To stop it: "
                + "voicegate settings org.example.notes --deny microphone")
        await notification.update(session("first", .foreground))
        await notification.update(session("first", .background))
        await notification.update(session("second", .background))
        #expect(await told().contains("“<b>second” listens in the background"))
    }

    @Test("a monitor's notice says that VoiceGate listens, for which phrase and for which client")
    func phrase() async {
        let notification = BackgroundNotification(environment: desktop.mocked.environment, delay: {})
        var reply = session("Notes", .background)
        reply.sessions[0].phrases = ["wake up", "good night"]
        await notification.update(reply)
        let words = await told()
        #expect(words.contains("VoiceGate listens in the background for “wake up”, “good night”"))
        #expect(
            words.last?.hasPrefix("It does so for &lt;b&gt;Notes (org.example.notes), on mic, which gets nothing")
                == true)
    }

    @Test("a session that is paused a moment later is not notified")
    func pausedSoon() async {
        let (moments, moment) = AsyncStream.makeStream(of: Void.self)
        let notification = BackgroundNotification(environment: desktop.mocked.environment) {
            for await _ in moments { break }
        }
        await notification.update(session("first", .background))
        await notification.update(session("first", .background, paused: true))
        moment.finish()
        await notification.update(session("second", .background))
        #expect(await told().contains("“<b>second” listens in the background"))
    }
}
