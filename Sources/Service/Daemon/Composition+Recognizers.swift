import Authorization
import Base
import Cryptography
import EngineRouting
import Engines
import Foundation
import Glibc
import LinuxSystem
import Logging
import PolicyFiles
import RecognizerProcess
import Server
import Speech
import Storage
import WyomingEngine

extension Composition {
    /// The configured engine outside of the service.
    ///
    /// - Throws: `ServiceError` if the administrator does not allow it.
    static func outsideEngine(_ file: ConfigurationFile, policyDirectory: String) throws -> OutsideEngine? {
        guard let address = file.outsideEngine else { return nil }
        let folder = (policyDirectory as NSString).deletingLastPathComponent
        let path = folder + "/engines.yaml"
        let isAllowed = try EnginePermissions(path: path).allowed.contains(address.location)
        guard address.isLocal || isAllowed else {
            throw ServiceError(
                code: .configuration,
                message: "The engine \(address) is not on this machine, and \(path) does not allow it. Name one at a "
                    + "Unix socket or at 127.0.0.1, or let an administrator allow \(address.location) there.")
        }
        return OutsideEngine(address, isAllowedByAdministrator: isAllowed)
    }

    /// What recognises dictations, as notices and grants name it.
    static func speechEngine(
        outside: EngineAddress?, _ router: EngineRouter
    ) -> @Sendable () -> SpeechEngine {
        guard let outside else { return { router.main } }
        let engine = SpeechEngine.outside(name: "\(outside)")
        return { engine }
    }

    /// The digests of PocketSphinx's model, and of the engine in config.yaml with its model.
    static func digests(
        _ file: ConfigurationFile, _ models: ModelFolders, _ library: EngineLibrary
    ) async -> [String: String] {
        // An engine of others checks its own model, which may have gigabytes.
        await DispatchQueue(label: "io.voicegate.engine").run {
            var digests: [String: String] = [:]
            digests[EngineTable.builtIn] = digest(nil, models.pocketSphinx, library)
            if let engine = file.engine { digests[configuredEngine] = digest(engine, models.used, library) }
            return digests
        }
    }

    /// The identifier of the engine in config.yaml.
    private static let configuredEngine = "config.yaml"

    /// - Parameter main: the pool of PocketSphinx, or of the engine in config.yaml.
    static func engineService(
        _ file: ConfigurationFile, _ options: VoicegateDaemon, _ models: ModelFolders, _ main: RecognizerPool,
        _ logger: Logger, _ library: EngineLibrary
    ) throws -> EngineService {
        let parts = EngineService.Parts(
            logger: logger, choices: EngineChoicesFile(stateDirectory: options.stateDirectory),
            library: library, warmWorkers: file.warmRecognizers ?? RecognizerPool.Configuration.usualWarmWorkers,
            models: Set([models.pocketSphinx, models.used].compactMap { ($0 as NSString?)?.standardizingPath })
        ) { entry, folder, check in
            var configuration = try installedEngine(entry, folder)
            if let check { configuration.checkModel = check }
            configuration.inspectsModel = entry.isModel && check == nil
            return try RecognizerPool(configuration, logger: logger)
        }
        guard let engine = file.engine else {
            return EngineService(
                parts, fixed: [pocketSphinx(main, models, file, library)],
                configured: file.outsideEngine == nil ? nil : EngineTable.builtIn)
        }
        var spare = try pocketSphinxConfiguration(models.pocketSphinx, file, library)
        spare.warmWorkers = 0
        let name = (engine.command[0] as NSString).lastPathComponent
        let configured = EngineService.Engine(
            id: configuredEngine, identity: SpeechEngine(name: name),
            capabilities: EngineCapabilities(languages: file.wyoming?.language.map { [$0] }),
            source: ServedEngine.Source(
                id: "engine", description: "An engine of this machine", package: nil, folder: models.used,
                url: "file://\(engine.command[0])"), pool: main, declaresItself: true)
        return EngineService(
            parts,
            fixed: [
                pocketSphinx(try RecognizerPool(spare, logger: logger), models, file, library), configured,
            ], configured: configuredEngine)
    }

    private static func pocketSphinx(
        _ pool: RecognizerPool, _ models: ModelFolders, _ file: ConfigurationFile, _ library: EngineLibrary
    ) -> EngineService.Engine {
        let named = file.engine == nil ? file.wyoming?.language : nil
        let language = named ?? library.entry(ofModel: models.pocketSphinx)?.languages.first
        return EngineService.Engine(
            id: EngineTable.builtIn, identity: SpeechEngine(name: "PocketSphinx"),
            capabilities: EngineCapabilities(languages: language.map { [$0] }),
            source: library.source(ofModel: models.pocketSphinx),
            pool: pool)
    }

    /// Without warm workers.
    private static func installedEngine(
        _ entry: EngineEntry, _ folder: String
    ) throws -> RecognizerPool.Configuration {
        var configuration = RecognizerPool.Configuration(
            executable: try ServiceLocations.path(of: ServiceLocations.Program(entry.family)), modelFolder: folder)
        configuration.warmWorkers = 0
        if let memory = entry.memory { configuration.bound(memory: memory) }
        configuration.hasDictionary = entry.isModel
        return configuration
    }

    /// - Parameter engine: `nil`: PocketSphinx, a part of the service.
    /// - Returns: `nil` if the model of PocketSphinx cannot be read; then it recognises nothing.
    private static func digest(_ engine: ConfiguredEngine?, _ model: String?, _ library: EngineLibrary) -> String? {
        let files = model.flatMap { try? library.digests(ofModel: $0, isVerified: engine == nil) }
        var lines = (files ?? [:]).sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)" }
        if let engine {
            let path = URL(fileURLWithPath: engine.command[0]).resolvingSymlinksInPath().path
            let program = FileDigests().sha256(of: path)
            lines = [program ?? ""] + engine.command + [model].compactMap { $0 } + lines
        } else if files == nil {
            return nil
        }
        return Hexadecimal.encode(SHA256.hash(data: lines.joined(separator: "\n").utf8))
    }

    static func recognizerPool(
        _ file: ConfigurationFile, _ models: ModelFolders, _ logger: Logger, _ library: EngineLibrary
    ) throws -> RecognizerPool {
        guard let engine = file.engine else {
            return try RecognizerPool(
                try pocketSphinxConfiguration(models.pocketSphinx, file, library), logger: logger)
        }
        var configuration = RecognizerPool.Configuration(
            executable: try ServiceLocations.path(of: .engineLauncher), modelFolder: models.used)
        // It checks its own model.
        configuration.arguments = engine.arguments(modelFolder: models.used)
        (configuration.hasDictionary, configuration.hasFileDecoders) = (false, false)
        if let warm = file.warmRecognizers { configuration.warmWorkers = warm }
        return try RecognizerPool(configuration, logger: logger)
    }

    private static func pocketSphinxConfiguration(
        _ model: String, _ file: ConfigurationFile, _ library: EngineLibrary
    ) throws -> RecognizerPool.Configuration {
        var configuration = RecognizerPool.Configuration(
            executable: try ServiceLocations.path(of: .recognizer), modelFolder: model)
        configuration.checkModel = { () throws(RecognitionError) in try library.checkForRecognizer(model) }
        if let warm = file.warmRecognizers { configuration.warmWorkers = warm }
        if let decoders = file.fileRecognizers { configuration.fileDecoders = decoders }
        return configuration
    }
}

/// Which recogniser loads which model: `model` in config.yaml is that of its `engine`, if it has one.
struct ModelFolders: Sendable, Hashable {
    let pocketSphinx: String
    /// What recognises dictations by default; `nil`: an engine that gets no model.
    let used: String?

    /// - Parameters:
    ///   - named: a model's name or folder, from the command line or config.yaml.
    ///   - hasEngine: whether config.yaml names an engine.
    /// - Throws: `absent` if there is no model of this name.
    init(named: String?, hasEngine: Bool, _ library: EngineLibrary) throws(VerifiedFolderError) {
        let own = RecognizerPool.Configuration.defaultModelFolder
        pocketSphinx = hasEngine ? own : try library.folder(ofModel: named ?? own)
        used = hasEngine ? named : pocketSphinx
    }
}

extension EngineLibrary {
    func checkForRecognizer(_ folder: String) throws(RecognitionError) {
        do throws(VerifiedFolderError) {
            try check(model: folder)
        } catch {
            throw RecognitionError(code: .modelUnavailable, message: error.message)
        }
    }
}

enum ServiceLocations {
    /// The folder of the running program, according to the kernel.
    static func ownFolder() throws(ServiceError) -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw ServiceError(
                code: .installation, message: "The service cannot find its own program: /proc is missing.")
        }
        return (path as NSString).deletingLastPathComponent
    }

    enum Program: String {
        case recognizer = "voicegate-recognizer"
        /// Starts engines of others in a sandbox.
        case engineLauncher = "voicegate-engine"
        case neuralRecognizer = "voicegate-recognizer-onnx"
        case voskRecognizer = "voicegate-recognizer-vosk"

        /// - Parameter family: `nil`: a model of PocketSphinx.
        init(_ family: EngineFamily?) {
            self =
                switch family {
                case nil: .recognizer
                case .moonshine: .neuralRecognizer
                case .vosk: .voskRecognizer
                }
        }
    }

    /// The program beside this one, or in a package's libexec.
    static func path(of program: Program) throws(ServiceError) -> String {
        let folder = try ownFolder()
        let candidates = ["/", "/../libexec/voicegate/"].map { folder + $0 + program.rawValue }
        for path in candidates where access(path, X_OK) == 0 { return path }
        throw ServiceError(
            code: .installation,
            message:
                "\(program.rawValue) is missing beside \(folder)/voicegated. Build or install VoiceGate as a whole.")
    }
}
