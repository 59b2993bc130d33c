import Foundation
import Speech
import TestSupport
import Testing

@testable import RecognizerProcess

@Suite("Faulty workers", .serialized)
struct BadWorkerTests {
    /// A worker that is a shell script: the real one cannot be made to lie.
    private func script(_ body: String) throws -> String {
        let path = NSTemporaryDirectory() + "worker-\(UUID().uuidString)"
        try "#!/bin/sh\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    private func model(damaging file: String?, to length: Int = 0) throws -> String {
        let folder = NSTemporaryDirectory() + "model-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: RecognizerPool.Configuration.defaultModelFolder, toPath: folder)
        if let file { #expect(truncate(folder + "/" + file, length) == 0) }
        return folder
    }

    private func expect(_ code: RecognitionError.Code, naming path: String, of fixture: PoolFixture) async {
        let error = await #expect(throws: RecognitionError.self) { _ = try await fixture.start() }
        #expect(error?.code == code && error?.message.contains(path) == true, "\(error?.message ?? "")")
    }

    static let lies = [
        "nonsense",
        #"{"type":"voice-started","data":{"time":5}}"#,
        #"{"type":"partial","data":{"text":"hello","stable_prefix":0}}"#,
        #"{"type":"voice-started","data":{"time":0}}\n{"type":"partial","data":{"text":"hello","stable_prefix":6}}"#,
        #"{"type":"voice-started","data":{"time":0}}\n{"type":"final","data":{"text":"","start":1,"end":0,"words":[]}}"#,
        #"{"type":"finished","data":{"duration":-1}}"#,
        #"{"type":"finished","data":{"duration":1e999}}"#,
        #"{"type":"error","data":{"code":"permissionEnded","text":"no"}}"#,
        #"{"type":"ready"}"#,
        #"{"type":"x","data_length":99999999}"#,
    ]

    @Test("a breach of the protocol ends the session and the worker", arguments: lies)
    func lying(lie: String) async throws {
        let path = try script(
            "printf '{\"type\":\"ready\"}\\n' >&3; head -c 20 <&3 >&2; printf '%b\\n' '\(lie)' >&3; sleep 60 3>&-")
        defer { unlink(path) }
        let fixture = try PoolFixture(executable: path)
        let session = try await fixture.start()
        let events = await session.rest()
        #expect(events.failure?.code == .protocolViolation)
        #expect(events.finals.isEmpty)
        await fixture.pool.shutdown()
    }

    @Test("a missing program is an error that names it")
    func missingProgram() async throws {
        let fixture = try PoolFixture(executable: "/nonexistent/voicegate-recognizer")
        await expect(.workerUnavailable, naming: "/nonexistent/voicegate-recognizer", of: fixture)
        await fixture.pool.shutdown()
    }

    @Test("an engine without a model folder gets no --model, and its failure to start does not blame one")
    func noModel() async throws {
        let path = try script(
            #"printf '{"type":"ready","data":{"name":"arguments %s"}}\n' "$#" >&3; cat <&3 >/dev/null"#)
        let failing = try script("exit 3")
        defer { for path in [path, failing] { unlink(path) } }
        let fixture = try PoolFixture(executable: path, modelFolder: nil)
        #expect(await fixture.pool.declaration()?.name == "arguments 0")
        await fixture.pool.shutdown()
        let broken = try PoolFixture(executable: failing, modelFolder: nil)
        let error = await #expect(throws: RecognitionError.self) { _ = try await broken.start() }
        #expect(error?.code == .modelUnavailable)
        #expect(error?.message.contains("while it started") == true && error?.message.contains("model") == false)
        await broken.pool.shutdown()
    }

    @Test("a missing model is an error that names it, and workers are not started in a loop")
    func missingModel() async throws {
        let fixture = try PoolFixture(modelFolder: "/nonexistent/model")
        for _ in 0..<20 { await expect(.modelUnavailable, naming: "/nonexistent/model", of: fixture) }
        // Twenty requests in a moment are answered from what is known, not by twenty processes.
        #expect(await fixture.pool.lastIdentifier < 10)
        await fixture.pool.shutdown()
    }

    @Test(
        "a damaged model is an error, whether the library refuses it or aborts",
        arguments: [
            ("en-us/means", 3_000), ("en-us/mdef", 3_000), ("en-us/mdef", 0), ("cmudict-en-us.dict", 0),
            ("en-us/sendump", 100),
        ])
    func damagedModel(file: String, length: Int) async throws {
        let folder = try model(damaging: file, to: length)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixture = try PoolFixture(modelFolder: folder)
        await expect(.modelUnavailable, naming: folder, of: fixture)
        await fixture.pool.shutdown()
    }
}
