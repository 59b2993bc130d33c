import Foundation
import ProgramSupport
import SocketAPI
import TestSupport
import Testing

@Suite("B9. The indicator", .timeLimit(.minutes(5)))
struct IndicatorTests {
    let service: ServiceUnderTest
    init() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.loops = true
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
    }

    private func reply(_ line: String) throws -> IndicatorReply {
        try JSONCoding.decoder().decode(IndicatorReply.self, from: Data(line.utf8))
    }

    /// A dictation that has heard something, and goes on until its client is ended. One that heard nothing is not shown
    /// after its end.
    private func listen() async throws -> RunningProgram {
        let session = try service.curl("/v1/dictation", ["-d", #"{"device":"mic"}"#])
        try await session.line(where: StreamEvent.isOf("started"))
        try await session.line(where: StreamEvent.isOf("speechStarted"))
        return session
    }

    @Test("B9 a file for status bars, for this user alone, that goes with the service")
    func file() async throws {
        let path = ServicePaths.indicator(besideSocket: service.socket)
        let session = try await listen()
        let following = try service.commandLine(["status", "--bar", "waybar"])
        try await following.line { $0.contains("● ") }
        // The file is written from the same stream of states.
        func shown() throws -> IndicatorBar {
            try JSONCoding.decoder().decode(IndicatorBar.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        }
        try await eventually { try shown().class == "now" }
        let bar = try shown()
        #expect(bar.sessions.map(\.client) == ["org.example.curl"])
        #expect(bar.tooltip.contains("listens on mic, since"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        session.signal(SIGKILL)
        #expect(await service.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        // The bar outlives the service, and then shows that nothing listens.
        try await following.line { $0.contains(#""class":"idle""#) }
        following.signal(SIGTERM)
        await following.end()
    }

    @Test("B9 the examples for waybar and polybar can be read, and the commands that they name print the line")
    func examples() async throws {
        let folder = Checkout.root.appendingPathComponent("Packaging/statusbar")
        let jsonc = try String(contentsOf: folder.appendingPathComponent("waybar.jsonc"), encoding: .utf8)
        let json = jsonc.split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
            .joined(separator: "\n")
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: String]]
        let waybar = try #require(object?["custom/voicegate"])
        #expect(waybar["return-type"] == "json")
        let ini = try String(contentsOf: folder.appendingPathComponent("polybar.ini"), encoding: .utf8)
        let keys = ini.split(separator: "\n").filter { !$0.hasPrefix(";") && !$0.hasPrefix("[") }
            .map { $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) } }
        let polybar = Dictionary(uniqueKeysWithValues: keys.map { ($0[0], $0[1]) })
        #expect(polybar["type"] == "custom/script")
        #expect(polybar["tail"] == "true")

        let session = try await listen()
        let bar = try run(try #require(waybar["exec"]))
        let line = try await bar.line { $0.contains("● ") }
        #expect(try JSONCoding.decoder().decode(IndicatorBar.self, from: Data(line.utf8)).class == "now")
        let text = try run(try #require(polybar["exec"]))
        try await text.line { $0 == "● org.example.curl" }
        session.signal(SIGKILL)
        try await text.line { $0 == "○ org.example.curl" }
        for program in [bar, text] { program.signal(SIGTERM) }
    }

    private func run(_ command: String) throws -> RunningProgram {
        var environment = service.environment
        environment["PATH"] = "\(Programs.folder):/usr/bin:/bin"
        return try RunningProgram(
            ["/bin/sh", "-c", "exec \(command) --socket '\(service.socket)'"], environment: environment)
    }

    /// Reads everything that shows what listens, when the file for bars has the class.
    private func everything(shows style: String, listens: Bool) async throws {
        let path = ServicePaths.indicator(besideSocket: service.socket)
        try await eventually {
            // The service writes it soon after its start.
            guard let data = FileManager.default.contents(atPath: path) else { return false }
            return try JSONCoding.decoder().decode(IndicatorBar.self, from: data).class == style
        }
        let indicator = try service.curl("/v1/indicator")
        await indicator.end()
        #expect(try reply(indicator.lines.joined()).listens == listens)
        let status = try await service.run(["status"])
        #expect(status.output.contains("Nothing listens now.") == !listens, "\(status.output)")
        #expect(status.output.contains { $0.contains(" listens on mic") } == listens, "\(status.output)")
        for bar in ["waybar", "polybar"] {
            let program = try service.commandLine(["status", "--bar", bar])
            try await program.line { _ in true }
            #expect(program.lines.first?.contains("●") == listens, "\(program.lines)")
            program.signal(SIGTERM)
            await program.end()
        }
        let settings = try await service.run(["settings"])
        #expect(!settings.output.contains { $0.contains("●") }, "\(settings.output)")
    }

    @Test("B9 a file is not listening, also beside a denied microphone; a microphone is; nothing listens while muted")
    func resources() async throws {
        try await everything(shows: "idle", listens: false)
        // Until its input is closed.
        let file = try RunningProgram(
            [
                "/bin/sh", "-c", #"( head -c 40000 "$2"; cat ) | "$0" transcribe - --socket "$1""#,
                Programs.commandLine,
                service.socket, Programs.librivox("0880"),
            ], environment: service.environment)
        try await everything(shows: "file", listens: false)
        #expect(try await service.run(["settings", "io.voicegate.cli", "--deny", "microphone"]).status == 0)
        try await everything(shows: "file", listens: false)
        let session = try await listen()
        try await everything(shows: "now", listens: true)
        session.signal(SIGKILL)
        try await everything(shows: "lately", listens: false)
        try file.closeInput()
        await file.end()
        #expect(try await service.run(["mute"]).status == 0)
        try await everything(shows: "muted", listens: false)
        let status = try await service.run(["status"])
        #expect(
            status.output.contains { $0.hasPrefix("  io.voicegate.cli: transcribed one file, ") }, "\(status.output)")
        #expect(status.output.contains { $0.hasPrefix("  org.example.curl: listened once, ") }, "\(status.output)")
        await service.stop()
    }
}
