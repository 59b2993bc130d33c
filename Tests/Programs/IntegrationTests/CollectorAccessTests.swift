import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Who reads the log for the collector", .timeLimit(.minutes(4)))
struct CollectorAccessTests {
    private static let paths = ["collector", "checkpoint", "packages?start=0&end=1", "growth?heartbeat=1"]
    private static let file = """
        warmRecognizers: 0
        collector: {url: "https://audit.example", name: Example Audit, purpose: to find misuse, send: records}
        """

    private func configuration(in folder: TemporaryFolder) throws -> [String] {
        ["--configuration", try folder.write(Self.file, to: "config.yaml")]
    }

    @Test("only voicegate-sender beside the service: no client, VoiceGate's own command or program of the same name")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let (service, command) = try await ServiceUnderTest.withCommand(
            Programs.curl, options: try configuration(in: folder))
        try service.registerCurl()
        // A copy of a program under the sender's name is another file.
        let copy = folder.path + "/voicegate-sender"
        try FileManager.default.copyItem(atPath: Programs.curl, toPath: copy)
        for path in Self.paths {
            for program in [Programs.curl, command, copy] {
                let call = try RunningProgram(
                    [
                        program, "-s", "--max-time", "60", "-w", "%{http_code}", "--unix-socket", service.socket,
                        "http://voicegate/v1/log/\(path)",
                    ], environment: service.environment)
                _ = await call.end()
                let answer = call.lines.joined()
                #expect(answer.hasSuffix("403") && answer.contains("Only voicegate-sender"), "\(path): \(answer)")
                #expect(!answer.contains("audit.example"))
            }
        }
    }

    @Test("the recipient is recorded at the start, and each later start with the same file records nothing")
    func recorded() async throws {
        let folder = try TemporaryFolder()
        let options = try configuration(in: folder)
        let service = try await ServiceUnderTest(options: options)
        var changes = try await service.records().filter { $0.kind == "collector.changed" }
        #expect(changes.count == 1)
        _ = await service.stop()
        let again = try await ServiceUnderTest(options: options, continuing: service)
        changes = try await again.records().filter { $0.kind == "collector.changed" }
        #expect(changes.count == 1)
    }

    @Test("a prompt names the recipient, and a permission of before is asked about again")
    func prompts() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        func request(_ service: ServiceUnderTest) async throws {
            _ = await (try service.curl("/v1/authorization/requests", ["-X", "POST", "-d", "{}"])).end()
        }
        try await request(service)
        var granted = try await service.records().filter { $0.kind == "decision.granted" }
        #expect(granted.count == 2)
        #expect(granted.allSatisfy { $0.text("notice")?.contains("Example Audit") == false })
        _ = await service.stop()
        let folder = try TemporaryFolder()
        let again = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: try configuration(in: folder), continuing: service)
        try await request(again)
        try await request(again)
        granted = try await again.records().filter { $0.kind == "decision.granted" }
        #expect(granted.count == 4, "each resource is asked about again")
        #expect(
            granted.suffix(2).allSatisfy {
                $0.text("notice")?.contains("consent records with Example Audit (to find misuse)") == true
            })
    }
}
