import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite(
    "schemathesis finds no failure and no undescribed response",
    .timeLimit(.minutes(Repetitions.areMany ? 180 : 10)))
struct FuzzTests {
    /// Calls that begin a recogniser each time; they get fewer requests.
    private static let costly = ["transcribe", "dictate"]

    private let microphones: VirtualMicrophoneConfiguration

    init() throws {
        microphones = try VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)])
    }

    /// A service that takes the test's Python for VoiceGate's own command: it lies beside the service under that name.
    private func serviceForPerson() async throws -> (service: ServiceUnderTest, command: String) {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        for program in ["voicegated", "voicegate-recognizer", "voicegate-engine"] {
            try files.copyItem(atPath: Programs.folder + "/" + program, toPath: folder.path + "/" + program)
        }
        let command = folder.path + "/voicegate"
        let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
        try files.copyItem(atPath: python, toPath: command)
        let service = try await ServiceUnderTest(
            microphones, answers: ServiceUnderTest.yesToAll,
            within: ["/bin/sh", "-c", "shift; exec '\(folder.path)/voicegated' \"$@\"", "sh"],
            keeping: folder)
        return (service, command)
    }

    /// - Returns: how many requests were made, and to which operations ("GET /v1/health").
    private func fuzz(
        _ service: ServiceUnderTest, _ command: [String], examples: Int, _ options: [String]
    ) async throws -> (requests: Int, operations: Set<String>) {
        let packages = try await PythonTools.packages()
        let program = try RunningProgram(
            command + [service.socket, "\(examples)", "--seed", "1"] + options,
            environment: service.environment.merging([
                "PYTHONPATH": packages + ":" + Checkout.root.appending(path: "Tests/Support/Tools").path
            ]) { _, new in new })
        let status = await program.end()
        let report = program.lines.joined(separator: "\n")
        #expect(status == 0, "\(report.suffix(6_000)) \(program.errorText.suffix(2_000))")
        let count = try #require(program.lines.last?.split(separator: " ").last.flatMap { Int($0) })
        // The service was not restarted and has not ended.
        let health = try service.curl("/v1/health")
        await health.end()
        #expect(health.lines.joined().contains("\"processIdentifier\":\(service.program.processIdentifier)"))
        let operations = program.lines.filter { $0.hasPrefix("operation: ") }.map { String($0.dropFirst(11)) }
        return (count, Set(operations))
    }

    private static func description() throws -> [String: [String: Any]] {
        let file = Checkout.root.appending(path: "Sources/Service/Server/OpenAPI/openapi.json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        return try #require(document?["paths"] as? [String: [String: Any]])
    }

    @Test("requests of all kinds to each operation, as the user's own command")
    func person() async throws {
        let (service, command) = try await serviceForPerson()
        let tool = try service.folder.write(
            String(contentsOf: Checkout.root.appending(path: "Tests/Support/Tools/fuzz_api.py"), encoding: .utf8),
            to: "tool/fuzz_api.py")
        let many = try await fuzz(
            service, [command, tool], examples: Repetitions.fuzzExamples,
            ["--phases", "coverage,fuzzing"] + Self.costly.flatMap { ["--exclude-operation-id", $0] })
        let few = try await fuzz(
            service, [command, tool], examples: max(3, Repetitions.fuzzExamples / 20),
            ["--phases", "fuzzing"] + Self.costly.flatMap { ["--include-operation-id", $0] })
        #expect(many.requests + few.requests >= 40 * Repetitions.fuzzExamples, "\(many) and \(few)")
        let described = try Self.description().flatMap { path, operations in
            operations.keys.map { "\($0.uppercased()) \(path)" }
        }
        #expect(many.operations.union(few.operations) == Set(described))
    }

    @Test("a client that is not a command of VoiceGate's is refused as described")
    func client() async throws {
        let service = try await ServiceUnderTest(microphones, answers: ServiceUnderTest.yesToAll)
        let tool = Checkout.root.appending(path: "Tests/Support/Tools/fuzz_api.py")
        let script = try service.registerScript(String(contentsOf: tool, encoding: .utf8), name: "fuzz")
        let (count, _) = try await fuzz(
            service, ["/usr/bin/python3", script], examples: 6,
            ["--phases", "fuzzing", "--exclude-operation-id", "mute"]
                + Self.costly.flatMap { ["--exclude-operation-id", $0] })
        #expect(count >= 150)
    }

    @Test("each route is described with who may call it and whether it has a heartbeat, and the reverse")
    func routes() async throws {
        let folder = try TemporaryFolder()
        let program = try RunningProgram(
            [
                Programs.service, "--list-routes", "--socket", folder.path + "/run/s.sock", "--state-directory",
                folder.path + "/state", "--policy-directory", folder.path, "--clients-directory", folder.path,
            ], environment: ["HOME": folder.path, "PATH": "/usr/bin"])
        #expect(await program.end() == 0, "\(program.errorText)")
        let described = try Self.description().flatMap { path, operations in
            operations.map { method, operation in
                let operation = operation as? [String: Any]
                let caller = operation?["x-caller"] as? [String] ?? ["no x-caller"]
                let parameters = operation?["parameters"] as? [[String: Any]] ?? []
                let beats = parameters.contains { ($0["$ref"] as? String)?.hasSuffix("/Heartbeat") == true }
                return
                    "\(method.uppercased()) \(path) \((caller + (beats ? ["heartbeat"] : [])).joined(separator: " "))"
            }
        }
        let served = program.lines.map { $0.replacing(/:(\w+)|\{(\w+)\}/) { "{\($0.1 ?? $0.2 ?? "")}" } }
        #expect(served.allSatisfy { $0.split(separator: " ").count >= 3 }, "a route declares no caller: \(served)")
        #expect(Set(served) == Set(described))
    }
}
