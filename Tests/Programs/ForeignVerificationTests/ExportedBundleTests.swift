import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Bundles that voicegate audit export made", .timeLimit(.minutes(5)))
struct ExportedBundleTests {
    private let folder: TemporaryFolder
    private let service: ServiceUnderTest
    private var bundle: String { folder.path + "/bundle" }
    private var keys: String { folder.path + "/keys" }

    init() async throws {
        folder = try TemporaryFolder()
        service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        for _ in 0..<2 {
            for command in ["mute", "unmute"] { #expect(try await service.run([command]).status == 0) }
        }
        for resource in ["speechRecognition", "microphone"] {
            let request = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"\#(resource)"}"#])
            await request.end()
        }
        let signed = try await service.run(["audit", "checkpoint", "--json"])
        let reply = try JSONSerialization.jsonObject(with: Data(signed.output.joined().utf8)) as? [String: Any]
        try folder.write((reply?["keys"] as? [String] ?? []).joined(separator: "\n") + "\n", to: "keys")
    }

    private func export(_ arguments: [String] = []) async throws -> [String] {
        let answer = try await service.run(["audit", "export", "--output", bundle] + arguments)
        #expect(answer.status == 0, "\(answer.errors)")
        await service.stop()
        let records = try String(contentsOfFile: bundle + "/records.jsonl", encoding: .utf8)
        return records.split(separator: "\n", omittingEmptySubsequences: true).map { $0 + "\n" }
    }

    /// Exit codes: ours, Go's and Python's.
    private func verify() async throws -> [Int32] {
        // There is no service any more, and none may be started.
        let own = try await service.run(["audit", "verify", bundle, "--key", keys]).status
        var codes = [own]
        for verifier in ForeignVerifier.allCases {
            codes.append(try await verifier.verify(bundle, keys: keys).status)
        }
        return codes
    }

    private func write(_ records: [String]) throws {
        try Data(records.joined().utf8).write(to: URL(fileURLWithPath: bundle + "/records.jsonl"))
    }

    @Test("a whole log's is accepted by all; with one record removed, changed, put elsewhere or cut off, by none")
    func whole() async throws {
        let records = try await export()
        #expect(records.count > 6)
        #expect(try await verify() == [0, 0, 0])
        let changed = records[2].replacing("service.muted", with: "service.unmuted")
        #expect(changed != records[2])
        var tampered: [[String]] = [records, records, records]
        tampered[0].remove(at: 3)
        tampered[1][2] = changed
        tampered[2].swapAt(1, 2)
        tampered += [records.dropLast(), [], records.dropLast() + [String(records[records.count - 1].dropLast(9))]]
        for (number, records) in tampered.enumerated() {
            try write(records)
            #expect(try await verify() == [65, 65, 65], "\(number)")
        }
        try write(records)
        #expect(try await verify() == [0, 0, 0])
    }

    @Test("a part of the log is accepted by all, and not with one record removed, changed, put elsewhere or cut off")
    func part() async throws {
        let records = try await export(["--client", "org.example.curl"])
        #expect(records.count >= 2)
        #expect(try await verify() == [0, 0, 0])
        let changed = records[0].replacing(#"\"time\":\"2"#, with: #"\"time\":\"3"#)
        #expect(changed != records[0])
        let tampered: [[String]] = [
            Array(records.dropFirst()), [changed] + Array(records.dropFirst()), Array(records.reversed()),
            Array(records.dropLast()),
        ]
        for (number, records) in tampered.enumerated() {
            try write(records)
            #expect(try await verify() == [65, 65, 65], "\(number)")
        }
    }
}
