import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("C. Privacy: the log and what leaves it", .timeLimit(.minutes(5)))
struct VerifiableLogTests {
    private static let verifier = "../../../Documentation/verify/verify.py"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func service() async throws -> ServiceUnderTest {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        #expect(try await service.run(["dictate", "--stop-after-silence", "1"]).status == 0)
        return service
    }

    @Test("C3 a bundle is verified by tools that are not ours, before and after an erasure, and a changed one is not")
    func foreign() async throws {
        let service = try await service()
        for name in ["before", "after"] {
            let bundle = folder.path + "/" + name
            #expect(try await service.run(["audit", "export", "--output", bundle]).status == 0)
            _ = try await PythonTools.run(Self.verifier, [bundle])
            #expect(try await service.run(["audit", "erase", "--yes", "--until", "2999-01-01"]).status == 0)
        }
        let path = folder.path + "/after/records.jsonl"
        let records = try String(contentsOfFile: path, encoding: .utf8)
        #expect(records.contains("session.stopped"))
        let changed = records.replacing("session.stopped", with: "session.started")
        try changed.write(toFile: path, atomically: true, encoding: .utf8)
        await #expect(throws: PythonTools.Failure.self) {
            try await PythonTools.run(Self.verifier, [folder.path + "/after"])
        }
    }
}
