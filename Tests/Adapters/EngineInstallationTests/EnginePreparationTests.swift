import Engines
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import EngineInstallation

@Suite("Preparing an engine", .timeLimit(.minutes(3)))
struct EnginePreparationTests {
    private let folder: TemporaryFolder
    private let base: String
    private let wheels: String

    init() throws {
        folder = try TemporaryFolder()
        base = folder.path + "/staging"
        wheels = folder.path + "/wheels"
        try FileManager.default.createDirectory(atPath: wheels, withIntermediateDirectories: false)
    }

    private var staged: [String] { (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] }

    private func wheel() throws -> String {
        try SampleWheel.write(SampleWheel.engine + SampleWheel.description, to: wheels + "/" + SampleWheel.file)
    }

    /// Prepares it and reads its files; the staging folder is gone afterwards.
    private func prepare(
        _ entry: EngineEntry, wheels: String?, environment: [String: String] = [:]
    ) async throws -> [String: Data] {
        let staging = try StagingFolder(in: base, isReadableByAll: false)
        let prepared = try await EnginePreparation(entry, wheels: wheels).prepare(
            in: staging,
            environment: ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        ) { _ in }
        #expect(prepared.hasPrefix(base))
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: prepared).map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: prepared + "/" + $0)))
            })
    }

    private func expectSample(_ files: [String: Data]) {
        #expect(files.keys.sorted() == ["engine.json", "lib.so", "tokens.txt"])
        #expect(files["tokens.txt"] == Data(SampleWheel.tokens.utf8))
        #expect(staged.isEmpty)
    }

    /// The problem is found, and nothing is left.
    private func refusal(
        _ entry: EngineEntry, wheels: String?, environment: [String: String] = [:]
    ) async -> EngineInstallationError? {
        let error = await #expect(throws: EngineInstallationError.self) {
            try await prepare(entry, wheels: wheels, environment: environment)
        }
        #expect(staged.isEmpty)
        return error
    }

    @Test("from a folder: exactly the engine's files, with the derived one and the description")
    func fromFolder() async throws {
        let entry = try SampleWheel.entry(try wheel())
        let files = try await prepare(entry, wheels: wheels)
        expectSample(files)
        #expect(try JSONDecoder().decode(EngineEntry.self, from: try #require(files["engine.json"])) == entry)
    }

    @Test("a missing, cut or other wheel in the folder is refused, and nothing is left")
    func wrongFolder() async throws {
        let path = try wheel()
        let entry = try SampleWheel.entry(path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.dropLast().write(to: URL(fileURLWithPath: path))
        #expect(await refusal(entry, wheels: wheels)?.code == .damaged)
        var changed = whole
        changed[changed.count / 2] ^= 1
        try changed.write(to: URL(fileURLWithPath: path))
        let error = await refusal(entry, wheels: wheels)
        #expect(error?.code == .damaged && error?.message.contains("SHA-256") == true)
        try FileManager.default.removeItem(atPath: path)
        let missing = await refusal(entry, wheels: wheels)
        #expect(missing?.code == .notFetched && missing?.message.contains("sample-engine==1.0") == true)
    }

    @Test(
        "pip downloads from the index that it is configured with; a wheel with another digest is refused by pip itself")
    func byPip() async throws {
        let environment = ["PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels]
        let entry = try SampleWheel.entry(try wheel())
        expectSample(try await prepare(entry, wheels: nil, environment: environment))
        let wrong = try SampleWheel.entry(wheels + "/" + SampleWheel.file) {
            $0["sha256"] = String(repeating: "0", count: 64)
        }
        let error = await refusal(wrong, wheels: nil, environment: environment)
        #expect(
            error?.code == .notFetched && error?.message.contains("sample-engine") == true,
            "\(String(describing: error))")
    }

    @Test("without a network pip's own words are shown with what to do; without pip, what to install")
    func noNetwork() async throws {
        let entry = try SampleWheel.entry(try wheel())
        let error = await refusal(
            entry, wheels: nil,
            environment: [
                "PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0",
                "PIP_FIND_LINKS": "",
            ])
        #expect(error?.code == .notFetched && error?.message.contains("--from") == true)
        let missing = await refusal(entry, wheels: nil, environment: ["PATH": folder.path])
        #expect(missing?.code == .toolMissing && missing?.message.contains("python3-pip") == true)
    }

    @Test("a cancelled download ends pip and leaves nothing")
    func cancelled() async throws {
        let entry = try SampleWheel.entry(try wheel())
        // A program in pip's place, that never ends by itself.
        try folder.write(
            "#!/bin/sh\ncase \"$*\" in *--version) exit 0;; esac\ntouch \"$TMPDIR/started\"\nexec sleep 600\n",
            to: "programs/python3", permissions: 0o755)
        let path = folder.path + "/programs:/usr/bin:/bin"
        let task = Task { try await prepare(entry, wheels: nil, environment: ["PATH": path]) }
        while !staged.contains(where: {
            FileManager.default.fileExists(atPath: "\(base)/\($0)/wheels/.temporary/started")
        }) { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(staged.isEmpty)
    }

    @Test("one installation at a time; the next removes the files of a killed one")
    func oneAtATime() throws {
        try folder.write("half", to: "staging/killed/engine/model")
        var first: StagingFolder? = try StagingFolder(in: base, isReadableByAll: false)
        #expect(staged.count == 1 && !staged.contains("killed"))
        let error = #expect(throws: EngineInstallationError.self) {
            try StagingFolder(in: base, isReadableByAll: false)
        }
        #expect(error?.code == .busy && staged.count == 1)
        #expect(first != nil)
        first = nil
        #expect(staged.isEmpty)
        _ = try StagingFolder(in: base, isReadableByAll: false)
    }

    @Test("too little room is found before anything is downloaded")
    func noRoom() throws {
        let entry = try SampleWheel.entry(try wheel()) { $0["bytes"] = VerifiedFolder.largestTotal }
        try EnginePreparation(entry, wheels: wheels).checkSpace(staging: base, state: folder.path)
        let error = #expect(throws: VerifiedFolderError.self) {
            try DiskSpace.check([DiskSpace.Need(folder: base, bytes: .max)])
        }
        #expect(error?.code == .inputOutput && error?.message.contains(base) == true)
    }
}
