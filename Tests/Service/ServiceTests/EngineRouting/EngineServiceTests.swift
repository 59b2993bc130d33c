import Engines
import Foundation
import Glibc
import LinuxSystem
import Logging
import RecognizerProcess
import Speech
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Authorization
@testable import EngineRouting
@testable import Server
@testable import SpeechRoutes

/// Engines are shell scripts that say that they are ready, or not.
@Suite("The choice of engines", .timeLimit(.minutes(1)))
struct EngineServiceTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let ready = #"printf '{"type":"ready","data":{}}\n' >&3; cat <&3 >/dev/null"#

    private let folder: TemporaryFolder
    private let ledger = RecordingLedger()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.entry("1"), to: "engines/sample/engine.json")
    }

    private static func entry(_ version: String, _ artefact: String = "") -> String {
        #"""
        {"id": "sample", "name": "Sample", "version": "\#(version)", "description": "For tests.", "languages": ["en"],
         "tasks": ["dictation"], "inputs": ["live", "file"], "partialTexts": true, "wordTimes": false,
         "confidences": false, "recognizer": {"family": "moonshine", "encoder": "model", "decoder": "model",
         "tokens": "model", "detector": "model"}, "licences": {"code": ["MIT"], "weights": "MIT"}, "free": true,
         "artefacts": [\#(artefact)]}
        """#
    }

    /// - Parameter program: of the installed engine.
    private func service(
        _ program: String = ready, configured: String? = nil, models: Set<String> = [],
        sync: @escaping @Sendable (String) throws(VerifiedFolderError) -> Void = VerifiedFolder.sync
    ) async throws -> EngineService {
        let own = try pool(Self.ready, "own")
        let parts = EngineService.Parts(
            logger: Self.quiet, choices: EngineChoicesFile(stateDirectory: folder.path),
            library: EngineLibrary(
                catalogue: EngineCatalogue(engines: []), stateDirectory: folder.path,
                sync: sync), warmWorkers: 1, models: models
        ) { [self] _, _, _ in try pool(program, "installed") }
        let fixed = EngineService.Engine(
            id: EngineTable.builtIn, identity: SpeechEngine(name: "PocketSphinx"), capabilities: EngineCapabilities(),
            source: ServedEngine.Source(
                id: "en-us", description: "English", package: nil, folder: folder.path, url: "file://\(folder.path)"),
            pool: own)
        let service = EngineService(parts, fixed: [fixed], configured: configured)
        await service.begin(recordingIn: ledger, models: [:])
        return service
    }

    private func pool(_ program: String, _ name: String) throws -> RecognizerPool {
        let path = try folder.write("#!/bin/sh\n\(program)\n", to: name, permissions: 0o700)
        var configuration = RecognizerPool.Configuration(executable: path)
        configuration.warmWorkers = 0
        return try RecognizerPool(configuration, logger: Self.quiet)
    }

    @Test("a chosen engine is recorded and named, and chosen again after a restart; other tasks keep theirs")
    func chosen() async throws {
        let service = try await service()
        try await service.use("sample", for: [.dictation, .files], by: 1000)
        let names = service.router.engine(for: RecognitionConfiguration())
        #expect(names.title == "Sample 1")
        #expect(service.router.main == names)
        #expect(service.router.engine(for: RecognitionConfiguration(task: .grammar("x"))).title == "PocketSphinx")
        #expect(ledger.eventNames == ["engineChanged"])
        let served = FileEngines(own: { service.router.enginesOfFiles }, outside: nil)
        #expect(served.all.map(\.source.id) == ["sample", "en-us"], "PocketSphinx may have other languages")
        #expect(served.all.first?.identity.title == "Sample 1")
        #expect(served.languages.all == nil && served.languages.usual == ["en"])
        let models = ServedModels(engines: served)
        #expect(models.model("whisper-1")?.id == "sample")
        #expect(models.model("sample")?.languages == ["en"])
        #expect(models.name(of: nil) == "english")
        #expect(models.model("other") == nil)
        await service.shutdown()

        let next = try await self.service()
        #expect(await next.choices()[.dictation] == "sample")
        #expect(await next.choices()[.grammar] == EngineTable.builtIn)
        await next.shutdown()
    }

    @Test(
        "a value that is not a language is refused with what is installed, also if an engine does not declare its languages"
    )
    func languages() async throws {
        let service = try await service()
        try await service.use("sample", for: [.files], by: 1000)
        let served = FileEngines(own: { service.router.enginesOfFiles }, outside: nil)
        let models = ServedModels(engines: served)
        #expect(try models.language("german", isLate: false).code == "de")
        #expect(try models.language("de-AT", isLate: false).tag == "de-AT")
        let list = "Installed: en (Sample 1); any language (PocketSphinx)."
        for text in ["words", "xx"] {
            let error = #expect(throws: RouteError.self) { try models.language(text, isLate: false) }
            #expect(error?.message.contains("“\(text)” is not a language.") == true)
            #expect(error?.message.hasSuffix(list) == true, "\(error?.message ?? "")")
            #expect(throws: RouteError.self) { try WyomingSpeech(engines: served).language(for: text) }
            #expect(throws: RouteError.self) { try RecognitionConfiguration.language(text) }
        }
        // Sample has begun to recognise the file.
        let late = #expect(throws: RouteError.self) { try models.language("german", isLate: true) }
        #expect(late?.message.hasSuffix(list + " Put the file last.") == true, "\(late?.message ?? "")")
        await service.shutdown()
    }

    @Test("one whose choice cannot be recorded is not used, also not after a restart")
    func unrecorded() async throws {
        let service = try await service()
        ledger.fail(after: 0)
        await #expect(throws: (any Error).self) { try await service.use("sample", for: [.dictation], by: 1000) }
        #expect(await service.choices()[.dictation] == EngineTable.builtIn)
        #expect(service.router.main.title == "PocketSphinx")
        await service.shutdown()
        let next = try await self.service()
        #expect(await next.choices()[.dictation] == EngineTable.builtIn)
        await next.shutdown()
    }

    @Test("one that does not start is not chosen, and nothing is recorded")
    func broken() async throws {
        let service = try await service("exit 3")
        await #expect(throws: RecognitionError.self) { try await service.use("sample", for: [.dictation], by: 1000) }
        #expect(await service.choices()[.dictation] == EngineTable.builtIn)
        #expect(ledger.events.isEmpty)
        await service.shutdown()
    }

    @Test("one that is being chosen is not removed meanwhile, and then it is in use")
    func race() async throws {
        let path = folder.path + "/go"
        let service = try await service("until [ -e \(path) ]; do sleep 0.02; done; " + Self.ready)
        let choosing = Task { try await service.use("sample", for: [.dictation], by: 1000) }
        try await eventually { await service.isChanging }
        let early = await #expect(throws: RouteError.self) { try await service.remove("sample") }
        #expect(early?.code == .busy)
        try folder.write("", to: "go")
        try await choosing.value
        await #expect(throws: (any Error).self) { try await service.remove("sample") }
        try await service.use(EngineTable.builtIn, for: [.dictation], by: 1000)
        try await service.remove("sample")
        await #expect(throws: RouteError.self) { try await service.use("sample", for: [.dictation], by: 1000) }
        await service.shutdown()
    }

    @Test("one that is being installed is not chosen meanwhile, because another version would run than is recorded")
    func replaced() async throws {
        let path = folder.path + "/go"
        let service = try await service("until [ -e \(path) ]; do sleep 0.02; done; " + Self.ready)
        let new = try prepareSecond()
        let adding = Task { try await service.add(new) }
        try await eventually { await service.isChanging }
        let early = await #expect(throws: RouteError.self) {
            try await service.use("sample", for: [.dictation], by: 1000)
        }
        #expect(early?.code == .busy)
        #expect(ledger.events.isEmpty)
        try folder.write("", to: "go")
        #expect(try await adding.value.entry.version == "2")
        try await service.use("sample", for: [.dictation], by: 1000)
        #expect(service.router.main.title == "Sample 2")
        #expect(ledger.eventNames == ["engineChanged"])
        await service.shutdown()
    }

    @Test("the workers of an engine that was replaced end, also if placing it fails after that")
    func replacedWorkers() async throws {
        let fails = Mutex(false)
        let root = folder.path + "/engines"
        let starts = folder.path + "/starts"
        let program = "echo $$ >> \(starts); " + Self.ready
        let service = try await service(program) { path throws(VerifiedFolderError) in
            // The folder of all engines is written when the new one is at its place.
            guard path == root, fails.withLock({ $0 }) else { return }
            throw VerifiedFolderError(code: .inputOutput, message: "The disk is full.")
        }
        try await service.use("sample", for: [.dictation], by: 1000)
        #expect(service.router.main.title == "Sample 1")
        func workers() -> [String] {
            ((try? String(contentsOfFile: starts, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        }
        let former = workers()
        #expect(!former.isEmpty)
        // An engine in use is replaced only if it is damaged.
        try folder.write("x", to: "engines/sample/added")
        fails.withLock { $0 = true }
        let new = try prepareSecond()
        let error = await #expect(throws: VerifiedFolderError.self) { try await service.add(new) }
        #expect(error?.code == .inputOutput)
        #expect(service.router.main.title == "Sample 2")
        try await eventually { former.allSatisfy { kill(Int32($0) ?? 0, 0) != 0 } }
        // Workers of the new one take their place: one was for the trial.
        try await eventually { workers().count >= former.count + 2 }
        await service.shutdown()
    }

    /// - Returns: the folder of version 2.
    private func prepareSecond() throws -> String {
        // SHA-256 of "one".
        let file = #""sha256": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", "bytes": 3"#
        let artefact =
            #"{"package": "sample", "version": "2", "file": "sample-2.whl", \#(file), "#
            + #""contents": [{"path": "model", "name": "model", \#(file)}]}"#
        try folder.write("one", to: "new/model")
        try folder.write(Self.entry("2", artefact), to: "new/engine.json")
        return folder.path + "/new"
    }

    @Test("a model that config.yaml names is not removed")
    func named() async throws {
        let service = try await service(models: [folder.path + "/engines/sample"])
        let error = await #expect(throws: VerifiedFolderError.self) { try await service.remove("sample") }
        #expect(error?.code == .inUse && error?.message.contains("config.yaml") == true)
        #expect(service.library.installed().count == 1)
        await service.shutdown()
    }

    @Test("the engine in config.yaml decides, and cannot be changed by a choice")
    func configured() async throws {
        let service = try await service(configured: EngineTable.builtIn)
        let error = await #expect(throws: RouteError.self) {
            try await service.use("sample", for: [.dictation], by: 1000)
        }
        #expect(error?.message.contains("config.yaml") == true)
        #expect(ledger.events.isEmpty)
        await service.shutdown()
    }
}
