import Authorization
import Crypto
import Foundation
import Glibc
import LinuxSystem
import Logging
import PolicyFiles
import RecognizerProcess
import Speech
import SpeechModels
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

    /// What recognises speech, as notices and grants name it.
    static func speechEngine(_ file: ConfigurationFile, _ model: String, _ library: ModelLibrary) async -> SpeechEngine
    {
        var engine = file.outsideEngine.map { SpeechEngine.outside(name: "\($0)") } ?? .ofService
        // An engine of others checks its own model, which may have gigabytes.
        engine.model = await DispatchQueue(label: "io.voicegate.engine").run { digest(file.engine, model, library) }
        return engine
    }

    /// - Parameter engine: `nil`: PocketSphinx, a part of the service.
    /// - Returns: `nil` if the model of PocketSphinx cannot be read; then it recognises nothing.
    private static func digest(_ engine: ConfiguredEngine?, _ model: String, _ library: ModelLibrary) -> String? {
        let files = try? library.digests(of: model, isVerified: engine == nil)
        var lines = (files ?? [:]).sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)" }
        if let engine {
            let path = URL(fileURLWithPath: engine.command[0]).resolvingSymlinksInPath().path
            let program = FileDigests().sha256(of: path)
            lines = [program ?? ""] + engine.command + [model] + lines
        } else if files == nil {
            return nil
        }
        return Hexadecimal.encode(SHA256.hash(data: Data(lines.joined(separator: "\n").utf8)))
    }

    static func recognizerPool(
        _ file: ConfigurationFile, _ model: String, _ logger: Logger, _ library: ModelLibrary
    ) throws -> RecognizerPool {
        let program: ServiceLocations.Program = file.engine == nil ? .recognizer : .engineLauncher
        var configuration = RecognizerPool.Configuration(executable: try ServiceLocations.path(of: program))
        configuration.modelFolder = model
        if let engine = file.engine {
            // It checks its own model.
            configuration.arguments = engine.arguments(modelFolder: model)
            configuration.isOurs = false
        } else {
            configuration.checkModel = { () throws(RecognitionError) in try library.checkForRecognizer(model) }
        }
        if let warm = file.warmRecognizers { configuration.warmWorkers = warm }
        if let decoders = file.fileRecognizers { configuration.fileDecoders = decoders }
        return try RecognizerPool(configuration, logger: logger)
    }

    static func tryModel(_ folder: String, _ logger: Logger) async throws {
        var configuration = RecognizerPool.Configuration(executable: try ServiceLocations.path(of: .recognizer))
        configuration.modelFolder = folder
        configuration.warmWorkers = 1
        configuration.inspectsModel = true
        let pool = try RecognizerPool(configuration, logger: logger)
        do {
            try await pool.prewarm()
        } catch {
            await pool.shutdown()
            throw error
        }
        await pool.shutdown()
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
