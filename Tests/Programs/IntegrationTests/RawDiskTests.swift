import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The disk of the state directory after an erasure: the whole file system is searched, with its free blocks.
@Suite(
    "The disk after an erasure", .timeLimit(.minutes(5)),
    .enabled(if: DiskImage.isAvailable, "needs root, loop devices, e2fsprogs and xfsprogs"))
struct RawDiskTests {
    private static let client = "org.example.curl"
    private static let notice = "the notice"
    private static let program = "the program"
    private static let speech = "what was said"
    private static let sound = "the sound"

    private static let content: [String: Data] = [
        notice: Data("To try the socket.".utf8), program: Data(Programs.curl.utf8), speech: Data("ten meters".utf8),
        sound: (try? Data(contentsOf: URL(fileURLWithPath: Programs.goForward)))?.dropFirst(40_000).prefix(256)
            ?? Data(),
    ]

    /// The keys of what is kept, by item.
    private func keys(_ state: String) async throws -> [String: Data] {
        let script = """
            import sqlite3
            log = sqlite3.connect("file:\(state)/consent.sqlite?mode=ro", uri=True)
            for item, key in log.execute("SELECT item, hex(key) FROM kept_keys JOIN kept_items USING (number)"):
                print(item, key)
            """
        let python = try RunningProgram(["/usr/bin/python3", "-c", script], environment: [:], isForeground: false)
        try #require(await python.end() == 0, "\(python.errorText)")
        let pairs = python.lines.map { $0.split(separator: " ") }
        return Dictionary(
            uniqueKeysWithValues: pairs.map { pair in
                let digits = Array(pair[1])
                let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                    UInt8(String(digits[$0...$0 + 1]), radix: 16)
                }
                return (String(pair[0]), Data(bytes))
            })
    }

    private func item(_ kind: String, of records: [Record]) throws -> String {
        try #require(records.last { $0.kind == "data.retained" && $0.text("dataKind") == kind }?.text("item"))
    }

    /// Waits until the service has removed its own copy.
    private func backUp(_ service: ServiceUnderTest, state: String, to name: String) async throws -> String {
        let folder = service.folder.path + "/" + name
        let result = try await service.run(["audit", "backup", folder])
        #expect(result.status == 0, "\(result.errors)")
        while FileManager.default.fileExists(atPath: state + "/backup") { try Task.checkCancellation() }
        return folder
    }

    @Test(
        "no erased byte is anywhere on an ext4 or XFS disk, however it was erased: records, and the keys of kept data"
    )
    func erased() async throws {
        // Side by side: most of it is waiting.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for kind in DiskImage.Kind.allCases { group.addTask { try await erase(in: kind) } }
            try await group.waitForAll()
        }
    }

    private func erase(in kind: DiskImage.Kind) async throws {
        let disk = try DiskImage(kind)
        let state = disk.path + "/state"
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll, options: ["--state-directory", state], model: .english)
        try service.registerCurl(keeping: ["transcript": "P30D", "recording": "P30D"])
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        #expect(dictation.lines.joined().contains("ten meters"))
        let records = try await service.records()
        let (transcript, recording) = (try item("transcript", of: records), try item("recording", of: records))
        var bytes = Self.content.merging(try await keys(state)) { $1 }
        let atFirst = try disk.names(of: bytes)
        #expect(atFirst == [Self.notice, Self.program, transcript, recording], "\(kind): kept data is encrypted")

        #expect(try await service.run(["history", "erase", transcript]).status == 0)
        let afterHistory = try disk.names(of: bytes)
        #expect(afterHistory == [Self.notice, Self.program, recording], "\(kind)")

        try service.registerCurl(keeping: ["transcript": "PT4S"])
        let upload = try service.curl(
            "/v1/audio/transcriptions", ["--data-binary", "@\(Programs.speech)/cards/004.wav"])
        await upload.end()
        let short = try await keys(state).filter { bytes[$0.key] == nil }
        #expect(short.count == 1)
        bytes.merge(short) { $1 }
        _ = try await service.records {
            $0.contains { $0.kind == "data.erased" && $0.text("reason") == "retentionEnded" }
        }
        let afterRetention = try disk.names(of: bytes)
        #expect(afterRetention == [Self.notice, Self.program, recording], "\(kind)")

        _ = try await backUp(service, state: state, to: "before")
        #expect(try await service.run(["reset", "--client", Self.client]).status == 0)
        _ = try await service.records { $0.contains { $0.text("reason") == "withdrawn" } }
        let afterReset = try disk.names(of: bytes)
        #expect(afterReset == [Self.notice, Self.program], "\(kind)")

        #expect(try await service.run(["audit", "erase", "--yes", "--client", Self.client]).status == 0)
        let afterErasure = try disk.names(of: bytes)
        #expect(afterErasure == [], "\(kind)")
        let backup = try await backUp(service, state: state, to: "after")
        for name in try FileManager.default.subpathsOfDirectory(atPath: backup) {
            let data = FileManager.default.contents(atPath: backup + "/" + name) ?? Data()
            #expect(bytes.values.allSatisfy { data.range(of: $0) == nil }, "\(name)")
        }

        await service.stop()
        try disk.sync()
        let atTheEnd = try disk.names(of: bytes)
        #expect(atTheEnd == [], "\(kind)")
        #expect(!service.program.errorText.contains("ten meters"), "nor in the service's messages")
    }
}
