import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A monitor that notifies the user, a client and a program that is none. Everything that the two may read is compared before the
/// phrase and after it, and their streams have nothing between.
@Suite("E2 What a monitor heard", .timeLimit(.minutes(5)))
struct MonitorSecrecyTests {
    private static let phrase = "go forward ten meters"

    private let folder: TemporaryFolder
    private let service: ServiceUnderTest
    private let stranger: String
    private var notified: String { folder.path + "/notified" }

    // notify-send is a stand-in, because a test has no desktop; that a bus is there is said by its variable.
    init() async throws {
        folder = try TemporaryFolder()
        var samples = try Data(contentsOf: URL(fileURLWithPath: Programs.goForward))
        samples.append(Data(count: 2 * 32_000))
        var microphone = VirtualMicrophone(name: "mic", file: try folder.write(samples, to: "speech.raw"))
        microphone.waitForFile = folder.path + "/spoken"
        microphone.loops = true
        try folder.write(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \(folder.path)/notified\n", to: "bin/notify-send", permissions: 0o755)
        stranger = folder.path + "/bin/stranger"
        try FileManager.default.copyItem(atPath: Programs.curl, toPath: stranger)
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll,
            environment: [
                "PATH": folder.path + "/bin:/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            ])
        try service.registerCurl()
        for resource in ["speechRecognition", "microphone"] {
            #expect(try await service.run(["settings", "org.example.curl", "--allow", resource]).status == 0)
        }
    }

    /// - Parameter program: the client, or the stranger.
    private func start(_ program: String, _ path: String, _ arguments: [String] = []) throws -> RunningProgram {
        try RunningProgram(
            [program, "-sN", "-i", "--unix-socket", service.socket, "http://voicegate\(path)"] + arguments,
            environment: service.environment)
    }

    private func answer(_ program: String, _ path: String, _ arguments: [String] = []) async throws -> String {
        let running = try start(program, path, arguments)
        await running.end()
        return running.lines.joined(separator: "\n")
    }

    /// The reading calls that any client or process may make, by the service's own description: those with an end, and streams.
    private func calls() async throws -> (answers: [String], streams: [String]) {
        // Its head precedes it.
        let text = try await answer(stranger, "/v1/openapi.json").drop { $0 != "{" }
        let description = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let paths = try #require(description?["paths"] as? [String: [String: [String: Any]]])
        let open = paths.filter { _, operations in
            let callers = operations["get"]?["x-caller"] as? [String] ?? []
            return callers.first == "client" || callers.first == "process"
        }.keys.filter { !$0.contains("{") }.sorted()
        let isStream = { (path: String) in path.hasSuffix("/changes") || path.hasSuffix("/events") }
        return (open.filter { !isStream($0) }, open.filter(isStream))
    }

    private func answers(_ paths: [String]) async throws -> [String: String] {
        var answers: [String: String] = [:]
        for program in [Programs.curl, stranger] {
            for path in paths { answers["\(program) \(path)"] = try await answer(program, path) }
        }
        return answers
    }

    private func notifications() -> Int {
        let text = (try? String(contentsOfFile: notified, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count { $0.contains("was said") }
    }

    @Test(
        "a client and a stranger see the same, byte for byte, whether the phrase was said or not",
        arguments: [false, true])
    func same(isOnce: Bool) async throws {
        let added = try await service.run(
            ["monitor", "add", "--client", "org.example.curl", "--phrase", Self.phrase, "--notify"]
                + (isOnce ? ["--once"] : []))
        #expect(added.status == 0, "\(added)")
        let identifier = try #require(added.output.first)
        try await eventually {
            try await service.run(["monitor", "list"]).output.joined().contains("listening")
        }
        let (paths, streams) = try await calls()
        for path in ["/v1/audit/records", "/v1/indicator", "/v1/monitors", "/v1/authorization", "/v1/dictation"] {
            #expect(paths.contains(path))
        }
        #expect(streams.count >= 3, "\(streams)")
        let before = try await answers(paths)
        let followers = try [Programs.curl, stranger].flatMap { program in
            // The head of a stream without a first event comes with the first heartbeat.
            try streams.map { (path: $0, reader: try start(program, $0 + "?heartbeat=1")) }
        }
        for (path, reader) in followers {
            try await reader.line { $0.contains("200 OK") }
            if !path.contains("monitors") { try await reader.line { $0.hasPrefix("{") } }
        }

        _ = FileManager.default.createFile(atPath: folder.path + "/spoken", contents: nil)
        try await eventually { notifications() >= (isOnce ? 1 : 2) }
        let kind = isOnce ? "monitor.removed" : "monitor.triggered"
        try await eventually { try await service.records().contains { $0.kind == kind } }
        let after = try await answers(paths)
        for (call, answer) in before {
            #expect(after[call] == answer, "\(call)")
            #expect(!answer.contains(Self.phrase), "\(call)")
            #expect(!answer.contains(identifier), "\(call)")
        }
        #expect(
            before["\(stranger) /v1/indicator"]?.contains(#""phrases":[]"#) == true, "that VoiceGate listens is shown")
        // A mark in each stream: everything is muted, so that nothing may listen.
        #expect(try await service.run(["mute"]).status == 0)
        for (path, reader) in followers where !path.contains("monitors") {
            try await reader.line { $0.contains(#""muted":true"#) }
            let lines = reader.lines.filter { $0.hasPrefix("{") }
            let first = try #require(lines.dropFirst().first)
            let isOfMute = first.contains(#""muted":true"#) || first.contains(#""sessions":[]"#)
            #expect(isOfMute, "\(path): \(lines)")
        }
        for (path, reader) in followers {
            reader.signal(SIGTERM)
            await reader.end()
            if path.contains("monitors") { #expect(!reader.lines.contains { $0.hasPrefix("{") }, "\(reader.lines)") }
        }
        let refused = try await answer(Programs.curl, "/v1/monitors/\(identifier)", ["-X", "DELETE"])
        #expect(refused.contains("404"), "\(refused)")
        // The user sees it all.
        let records = try await service.records()
        #expect(records.contains { $0.kind == "monitor.triggered" && $0.text("phrase") == Self.phrase })
        await service.stop()
    }

    @Test("only the user registers a monitor that notifies; a client is refused and told what to do")
    func registration() async throws {
        let body = #"{"kind":"keyPhrase","phrase":"go forward ten meters","action":"notify"}"#
        let refused = try await answer(Programs.curl, "/v1/monitors", ["-d", body])
        #expect(refused.contains("403"), "\(refused)")
        #expect(refused.contains("voicegate monitor add --client org.example.curl --notify"), "\(refused)")
        let background = try await service.run(
            ["monitor", "add", "--client", "org.example.curl", "--notify"], isForeground: false)
        #expect(background.status != 0, "\(background)")
        #expect(try await !service.records().contains { $0.kind.hasPrefix("monitor.") })
        let accepted = try await answer(
            Programs.curl, "/v1/monitors", ["-d", #"{"kind":"soundBegan","action":"start"}"#])
        #expect(accepted.contains("201"), "\(accepted)")
        await service.stop()
    }

    @Test("`voicegate status` shows the user what is waited for")
    func shownToUser() async throws {
        try await service.run(
            ["monitor", "add", "--client", "org.example.curl", "--phrase", Self.phrase, "--notify"])
        try await eventually {
            try await service.run(["status"]).output.joined().contains("waits for “\(Self.phrase)”")
        }
        await service.stop()
    }
}
