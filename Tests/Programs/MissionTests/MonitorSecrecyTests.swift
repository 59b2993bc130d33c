import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A monitor that notifies the user, and its client.
@Suite("E2 What a monitor heard", .timeLimit(.minutes(5)))
struct MonitorSecrecyTests {
    private static let phrase = "go forward ten meters"

    private let folder: TemporaryFolder
    private let service: ServiceUnderTest

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
