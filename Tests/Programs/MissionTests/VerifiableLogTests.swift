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

    @Test(
        "C3 people and machines get the same story: a page, a table, lines, and linked data name client, purpose and grant"
    )
    func forms() async throws {
        let service = try await service()
        for format in ["html", "csv", "jsonl", "jsonld"] {
            let (status, output, errors) = try await service.run(["audit", "export", "--format", format])
            #expect(status == 0, "\(errors)")
            let text = output.joined(separator: "\n")
            #expect(text.contains("io.voicegate.cli"), "\(format)")
            #expect(text.contains("To write the text you dictate"), "\(format)")
        }
    }

    @Test("C3 one byte of the database that is changed is found")
    func tampered() async throws {
        let service = try await service()
        await service.stop()
        let path = service.stateDirectory + "/consent.sqlite"
        var database = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(database.range(of: Data("\"kind\":\"decision.granted".utf8)))
        database[place.upperBound - 1] ^= 1
        try database.write(to: URL(fileURLWithPath: path))
        let next = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, continuing: service)
        let verification = try await next.run(["audit", "verify"])
        #expect(verification.status == 65, "\(verification)")
    }
}
