import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// `voicegate dashboard` and `voicegate audit receipt` with a real service, which a person uses at a terminal.
@Suite("The dashboard and receipts", .timeLimit(.minutes(2)))
struct DashboardCommandTests {
    private let outside: TemporaryFolder

    init() throws { outside = try TemporaryFolder() }

    private func curl(_ arguments: [String]) async throws -> (status: String, text: String) {
        let program = try RunningProgram(
            [Programs.curl, "-s", "-w", "\n%{http_code}"] + arguments, environment: [:], isForeground: false)
        await program.end()
        return (program.lines.last ?? "", program.lines.joined(separator: "\n"))
    }

    @Test("the page shows what the person allowed, denies it, and ends with Ctrl-C; receipts of both are checked alone")
    func day() async throws {
        let service = try await ServiceUnderTest()
        let asking = try service.atTerminal(["request", "microphone"])
        try await asking.press("w", until: "Allowed while using.")
        await asking.end()

        let dashboard = try service.atTerminal(["dashboard", "--no-open"])
        let line = try await dashboard.line { $0.hasPrefix("http://127.0.0.1:") }
        let address = line.trimmingCharacters(in: .whitespacesAndNewlines)
        let origin = try #require(address.split(separator: "/?").first.map(String.init))
        let cookie = ["-c", outside.path + "/jar", "-b", outside.path + "/jar"]
        let page = try await curl(cookie + ["-L", address])
        #expect(page.status == "200" && page.text.contains("Nothing listens"))
        #expect(page.text.contains("Allowed while using"))
        let token = try #require(page.text.firstMatch(of: #/name="token" value="([0-9a-f]+)"/#)?.1)
        let form = ["-H", "Origin: \(origin)", "-d", "token=\(token)&client=io.voicegate.cli&resource=microphone"]
        #expect(try await curl(cookie + form + [origin + "/deny"]).status == "303")
        #expect(try await curl(cookie + [origin + "/"]).text.contains("Not allowed"))
        try dashboard.type("\u{3}")
        #expect(await dashboard.end() == 130)
        #expect(try await curl([origin]).status == "000")

        let folder = outside.path + "/receipts"
        let written = try await service.run(["audit", "receipt", "--output", folder, "--json"])
        #expect(written.status == 0 && written.output.count == 2, "\(written)")
        let key = try await service.checkpoint().keys.last?.text ?? ""
        await service.stop()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        for file in files {
            let alone = try await service.run(["audit", "verify", file, "--key", key])
            #expect(alone.status == 0 && alone.output.last == "verdict: verified", "\(alone)")
        }
        let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        let text = try #require(texts.first { $0.contains("dpv:ConsentGiven") })
        let forged = try outside.write(text.replacing("\"terminal\"", with: "\"desktop\""), to: "forged.jsonld")
        let refused = try await service.run(["audit", "verify", forged, "--key", key])
        #expect(refused.status == 65 && refused.output.last == "verdict: G1", "\(refused)")
    }

    @Test("a program that runs the dashboard gets no page")
    func program() async throws {
        let service = try await ServiceUnderTest()
        let code = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
        let program = try RunningProgram(
            [
                "/usr/bin/python3", "-c", code, Programs.commandLine, "dashboard", "--no-open", "--socket",
                service.socket,
            ], environment: service.environment)
        #expect(await program.end() == 77, "\(program.errorText)")
        #expect(program.lines.isEmpty)
    }
}
