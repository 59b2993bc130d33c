import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The whole way: a service, the command line, and programs that know nothing of either.
@Suite(.timeLimit(.minutes(10)))
struct ExportedBundleTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/out" }

    init() throws { folder = try TemporaryFolder() }

    private func export(_ options: [String]) async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        #expect(try await service.run(["request"]).status == 0)
        let curl = try service.curl("/v1/authorization/requests", ["-X", "POST"])
        #expect(await curl.end() == 0)
        let answer = try await service.run(["audit", "export", "--output", path] + options)
        #expect(answer.status == 0, "\(answer.errors)")
    }

    @Test(
        "what the command line exports is accepted, the whole log and a part of it", arguments: ForeignVerifier.allCases
    )
    func accepted(verifier: ForeignVerifier) async throws {
        for options in [[], ["--client", "org.example.curl"]] {
            try await export(options)
            let answer = try await verifier.verify(path)
            #expect(answer.status == 0, "\(answer.errors)")
            #expect(answer.output.first?.hasPrefix("verified: ") == true)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test(
        "one record removed, changed, put elsewhere or cut off is found",
        arguments: ["removed", "changed", "moved", "cut"], ForeignVerifier.allCases)
    func found(damage: String, verifier: ForeignVerifier) async throws {
        try await export([])
        let file = path + "/records.jsonl"
        var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        switch damage {
        case "removed": lines.remove(at: 2)
        case "changed":
            lines[2] = lines[2].replacing("microphone", with: "microphonE").replacing("speech", with: "Speech")
        case "moved": lines.swapAt(2, 3)
        default: lines.removeLast()
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        let answer = try await verifier.verify(path)
        #expect(answer.status == 65 && answer.errors.hasPrefix("does not verify: "), "\(answer)")
    }
}
