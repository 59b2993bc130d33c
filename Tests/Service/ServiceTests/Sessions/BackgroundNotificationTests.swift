import Authorization
import Foundation
import TestSupport
import Testing

@testable import Sessions
@testable import SocketAPI

/// With a stand-in for notify-send, which shows something only where a desktop runs: it writes its arguments to a pipe.
@Suite("The desktop notification of background sessions", .timeLimit(.minutes(1)))
struct BackgroundNotificationTests {
    let folder: TemporaryFolder
    let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        let program = try folder.write(
            "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done > '\(folder.path)/told.$$'\n"
                + "mv '\(folder.path)/told.'* '\(folder.path)/told'\n", to: "notify-send")
        chmod(program, 0o755)
        environment = ["PATH": "\(folder.path):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
    }

    func session(_ name: String, _ presence: Presence, paused: Bool = false, device: String? = "mic") -> IndicatorReply
    {
        IndicatorReply(sessions: [
            IndicatorReply.Session(
                session: name, client: "org.example.notes", name: "<b>\(name)", device: device, processIdentifier: 7,
                presence: presence, paused: paused, startedAt: Date())
        ])
    }

    func told() async -> [String] {
        while true {
            // The shell makes the file first and writes to it then.
            if let text = try? String(contentsOfFile: folder.path + "/told", encoding: .utf8), !text.isEmpty {
                try? FileManager.default.removeItem(atPath: folder.path + "/told")
                return text.split(separator: "\n").map(String.init)
            }
            await Task.yield()
        }
    }

    @Test(
        "each session is notified once, with its client, its device and how to stop it; paused sessions and files are not"
    )
    func once() async {
        let notification = BackgroundNotification(environment: environment, delay: {})
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
        let notification = BackgroundNotification(environment: environment, delay: {})
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
        let notification = BackgroundNotification(environment: environment) { for await _ in moments { break } }
        await notification.update(session("first", .background))
        await notification.update(session("first", .background, paused: true))
        moment.finish()
        await notification.update(session("second", .background))
        #expect(await told().contains("“<b>second” listens in the background"))
    }
}
