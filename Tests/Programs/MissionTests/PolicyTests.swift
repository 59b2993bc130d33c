import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: policy and mute", .timeLimit(.minutes(5)))
struct PolicyTests {
    private func object(_ lines: [String]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(lines.joined().utf8)) as? [String: Any])
    }

    private func status(_ service: ServiceUnderTest, _ arguments: [String] = []) async throws -> [String: Any] {
        let reply = try service.curl("/v1/authorization", arguments)
        await reply.end()
        return try object(reply.lines)
    }

    /// An hour that is now, or one that is not, by the machine's clock.
    private func hours(fromNow hours: Int) -> String {
        let hour = (Calendar.current.component(.hour, from: Date()) + hours) % 24
        func clock(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour):00" }
        // Three hours, so that the test does not fail at the turn of one.
        return clock((hour + 23) % 24) + "-" + clock((hour + 2) % 24)
    }

    @Test(
        "A5 a policy overrides a grant without a prompt, gives its reason, cannot be lifted by the user, and ends running sessions"
    )
    func restricts() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        let notices = try await service.records().count { $0.kind == "notice.shown" }
        let path = try service.folder.write(
            """
            deny:
              - resource: microphone
                client: org.example.curl
                user: \(getuid())
                hours: "\(hours(fromNow: 0))"
                reason: No recording during examinations.

            """, to: "policy.d/exam.yaml")
        let ended = try await dictation.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "restricted")
        #expect(try await status(service)["microphone"] as? String == "restricted")
        #expect(try await status(service)["speechRecognition"] as? String == "authorized")
        let again = try service.curl("/v1/dictation", ["-d", "{}", "-w", "%{http_code}"])
        await again.end()
        #expect(again.lines.last?.hasSuffix("403") == true)
        #expect(again.lines.joined().contains("No recording during examinations."))
        // Settings can be written, and the policy holds.
        #expect(try await service.run(["settings", "org.example.curl", "--allow", "microphone"]).status == 0)
        #expect(try await status(service)["microphone"] as? String == "restricted")
        #expect(try await service.records().count { $0.kind == "notice.shown" } == notices)
        let changes = try await followedChanges(service)
        try FileManager.default.removeItem(atPath: path)
        try await changes.line { $0.contains("changed") && $0.contains(#""status":"authorized""#) }
        changes.signal(SIGTERM)
    }

    @Test("A5 a policy at other hours, for another user or another client restricts nothing")
    func others() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let changes = try await followedChanges(service)
        try service.folder.write(
            """
            deny:
              - {resource: all, hours: "\(hours(fromNow: 12))"}
              - {resource: all, user: 4242424}
              - {resource: all, client: org.example.other}

            """, to: "policy.d/others.yaml")
        try await changes.line { $0.contains(#""type":"changed""#) }
        let doctor = try await service.run(["doctor"]).output
        #expect(doctor.contains { $0.contains("2 of 3 rules restrict now; that changes at") })
        let request = try service.curl("/v1/authorization/requests", ["-d", "{}"])
        await request.end()
        #expect(try await status(service)["microphone"] as? String == "authorized")
        changes.signal(SIGTERM)
    }

    /// A stream that has begun, so that no change comes before it.
    private func followedChanges(_ service: ServiceUnderTest) async throws -> RunningProgram {
        let changes = try service.curl("/v1/authorization/changes")
        try await changes.line { $0.contains(#""type":"state""#) }
        return changes
    }

    @Test("A5 a broken file keeps its denials, also over a restart, and doctor, status and the log say so")
    func broken() async throws {
        var service = try await ServiceUnderTest()
        try service.registerCurl()
        let changes = try await followedChanges(service)
        let path = try service.folder.write("deny: [{resource: microphone}]\n", to: "policy.d/a.yaml")
        try await changes.line { $0.contains(#""microphone":{"status":"restricted"}"#) }
        // Moved into place, so that it breaks at once and is not read half-written.
        try "allow: [{resource: microphone}]\n".write(toFile: path, atomically: true, encoding: .utf8)
        try await changes.shows(#""microphone":{"status":"restricted"}"#, times: 2)
        let doctor = try await service.run(["doctor"]).output
        #expect(doctor.contains { $0.contains("can only deny") })
        #expect(doctor.contains { $0.hasPrefix("! policy") && $0.contains("Its last valid denials apply.") })
        #expect(try await service.run(["doctor"]).status == 1)
        #expect(try await status(service)["microphone"] as? String == "restricted")
        #expect(try await status(service)["speechRecognition"] as? String == "notDetermined")
        let shown = try await service.run(["status"])
        #expect(shown.output.contains { $0.contains("a.yaml") })
        let record = try await service.records().last { $0.kind == "policy.changed" }
        #expect((record?.fields["brokenFiles"] as? [String: String])?.keys.contains(path) == true)
        service.program.signal(SIGKILL)
        await service.program.end()
        // Its former rules are no longer known, so it may have denied anything.
        service = try await ServiceUnderTest(continuing: service)
        #expect(try await status(service)["microphone"] as? String == "restricted")
        #expect(try await status(service)["speechRecognition"] as? String == "restricted")
        let after = try await service.run(["doctor"]).output
        #expect(after.contains { $0.hasPrefix("! policy") && $0.contains("Everything is denied until") })
        changes.signal(SIGTERM)
    }

    @Test(
        "mute ends running sessions without a prompt, survives a kill of the service, and only the command line ends it"
    )
    func mute() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        var service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let dictation = try service.commandLine(["dictate", "--json"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        let muted = try await service.run(["mute", "--json"])
        #expect(try object(muted.output)["muted"] as? Bool == true)
        #expect(await dictation.end() == 77)
        #expect(dictation.lines.compactMap { StreamEvent($0) }.last { $0.type == "ended" }?.reason == "muted")
        #expect(try await service.run(["mute"]).status == 0)
        #expect(try await service.records().count { $0.kind == "service.muted" } == 1)
        let unmute = try service.curl("/v1/mute", ["-X", "DELETE", "-w", "%{http_code}"])
        await unmute.end()
        #expect(unmute.lines.last?.hasSuffix("403") == true)

        service.program.signal(SIGKILL)
        await service.program.end()
        service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, continuing: service)
        #expect(try await status(service)["muted"] as? Bool == true)
        #expect(try await status(service)["microphone"] as? String == "restricted")
        let refused = try await service.run(["dictate", "--json"])
        #expect(refused.status == 77)
        #expect(refused.output.joined().contains(#""code":"muted""#))
        let health = try service.curl("/v1/health")
        await health.end()
        #expect(try object(health.lines)["muted"] as? Bool == true)
        let doctor = try await service.run(["doctor"])
        #expect(doctor.status == 1)
        #expect(doctor.output.contains { $0.hasPrefix("! mute") })

        #expect(try await service.run(["unmute", "--json"]).output == [#"{"muted":false}"#])
        #expect(try await service.run(["unmute"]).status == 0)
        let reply = try object(try await service.run(["status", "--json"]).output)
        #expect((reply["authorization"] as? [String: Any])?["microphone"] as? String == "authorized")
    }

    @Test("any program of the person may mute, and a prompt that is shown goes away with it")
    func muteByAnyProgram() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        let asking = try service.atTerminal(["request", "microphone"])
        try await asking.shows("would like to use the microphone")
        let following = try service.commandLine(["status", "--follow"])
        try await following.line { $0 == "Nothing listens now." }
        let mute = try service.curl("/v1/mute", ["-X", "PUT"])
        await mute.end()
        #expect(try object(mute.lines)["muted"] as? Bool == true)
        #expect(await asking.end() == 77)
        // What it did is shown with its name, not as the person's own act.
        let status = try await service.run(["status"]).output
        let shown = "Everything is muted by \(Programs.curl). To unmute: voicegate unmute"
        #expect(status.count { $0.hasSuffix(shown) } == 3, "\(status)")
        try await following.line { $0.contains("Microphone") && $0.hasSuffix(shown) }
        following.signal(SIGTERM)
        await following.end()
        let refused = try await service.run(["dictate"])
        #expect(refused.errors.contains("Everything is muted by \(Programs.curl), so"), "\(refused.errors)")
        let records = try await service.run(["audit", "records"]).output
        #expect(records.contains { $0.contains("service.muted") && $0.hasSuffix("by \(Programs.curl)") }, "\(records)")
        #expect(try await !service.records().contains { $0.kind == "decision.granted" })
    }
}
