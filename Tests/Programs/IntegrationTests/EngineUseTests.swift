import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The packages of the catalogue's engine, if Tests/Support/Tools/setup-engine could download them.
private let wheels: String? = {
    let folder = Checkout.root.path + "/.build/engines"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { $0.hasSuffix(".whl") } ? folder : nil
}()

@Suite(
    "A better engine in one command",
    .enabled(if: wheels != nil, "Tests/Support/Tools/setup-engine could not download the engine."),
    .timeLimit(.minutes(3)))
struct EngineUseTests {
    private func text(_ object: Any?, _ key: String) -> String? { (object as? [String: Any])?[key] as? String }

    /// The catalogue's engine as a third-party engine, described in a file.
    private func description(in folder: TemporaryFolder) throws -> String {
        let file = Checkout.root.appending(path: "Models/catalogue.json")
        let catalogue = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let entries = try #require(catalogue?["engines"] as? [[String: Any]])
        var entry = try #require(entries.first { $0["id"] as? String == "moonshine-tiny-en" })
        (entry["id"], entry["name"], entry["version"]) = ("own", "Own engine", "2")
        // JSON is YAML.
        return try folder.write(try JSONSerialization.data(withJSONObject: entry), to: "engine.yaml")
    }

    @Test(
        "one that a file describes is installed, listed, chosen, dictated with, named in status, diagnosis and records, and removed"
    )
    func life() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll, model: .english)
        try service.registerCurl()
        let folder = try TemporaryFolder()
        let installed = try await service.run([
            "engine", "install", try description(in: folder), "--from", try #require(wheels),
        ])
        try #require(installed.status == 0, "\(installed.errors)")
        let listed = try await service.run(["engine", "list"])
        #expect(listed.output.contains { $0.hasPrefix("own ") && $0.contains("installed") }, "\(listed.output)")
        let chosen = try await service.run(["engine", "use", "own"])
        try #require(chosen.status == 0, "\(chosen.errors)")

        let file = try await service.run(["transcribe", Programs.librivox("0880")])
        #expect(file.status == 0 && file.output.joined(separator: " ").lowercased().contains("young man"), "\(file)")
        let program = try service.start([
            "curl", "-sN", "--unix-socket", service.socket, "-d", "{}", "http://voicegate/v1/dictation",
        ])
        try await program.line { StreamEvent($0)?.type == "final" && $0.lowercased().contains("meters") }
        program.signal(SIGTERM)
        _ = await program.end()

        #expect(try await service.run(["status"]).output.joined().contains("Own engine 2"))
        let diagnosis = try await service.run(["doctor"]).output.joined()
        #expect(diagnosis.contains("Own engine 2") && diagnosis.contains("PocketSphinx's model is in"), "\(diagnosis)")
        let records = try await service.records()
        let changes = records.filter { $0.kind == "engine.changed" }
        #expect(changes.count == 1)
        let started = records.filter { $0.kind == "session.started" }
        #expect(started.count == 2)
        for record in started {
            #expect(text(record.fields["recognizer"], "name") == "Own engine")
            #expect(text(record.fields["recognizer"], "modelSHA256")?.count == 64)
        }

        let lines = try await service.run(["audit", "records"]).output
        #expect(
            lines.contains {
                $0.contains("engine.changed") && $0.contains("dictation, files")
                    && $0.contains("to Own engine 2")
            }, "\(lines)")
        #expect(lines.count { $0.contains("recognised by Own engine 2") } == 2, "\(lines)")

        let used = try await service.run(["engine", "remove", "own"])
        #expect(used.status != 0 && used.errors.contains("voicegate engine use"), "\(used.errors)")
        #expect(try await service.run(["engine", "use", "pocketsphinx"]).status == 0)
        #expect(try await service.run(["engine", "remove", "own"]).status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: service.stateDirectory + "/engines")
        #expect(left.allSatisfy { $0 == "choices.json" }, "\(left)")
        #expect(try await service.run(["transcribe", Programs.librivox("0880")]).status == 0)
    }

    @Test(
        "the catalogue's engine recognises; one whose file was changed after its installation is not started, and what to do is said"
    )
    func damaged() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let installed = try await service.run([
            "engine", "install", "moonshine-tiny-en", "--from", try #require(wheels),
        ])
        try #require(installed.status == 0, "\(installed.errors)")
        #expect(try await service.run(["engine", "use", "moonshine-tiny-en", "--for", "files"]).status == 0)
        #expect(try await service.run(["transcribe", Programs.librivox("0880")]).status == 0)
        let recognizer = try await service.records().last { $0.kind == "session.started" }?.fields["recognizer"]
        #expect(text(recognizer, "name") == "Moonshine tiny")
        #expect(try await service.run(["engine", "use", "pocketsphinx"]).status == 0)
        let tokens = URL(fileURLWithPath: service.stateDirectory + "/engines/moonshine-tiny-en/tokens.txt")
        try Data("x 0\n".utf8).write(to: tokens)
        let refused = try await service.run(["engine", "use", "moonshine-tiny-en"])
        #expect(refused.status != 0 && refused.errors.contains("voicegate engine install"), "\(refused)")
        #expect(try await service.records().count { $0.kind == "engine.changed" } == 2)
        #expect(try await service.run(["transcribe", Programs.librivox("0880")]).status == 0)
    }
}
