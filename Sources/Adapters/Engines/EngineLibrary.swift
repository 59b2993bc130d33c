import Base
import Cryptography
import Dispatch
import Foundation
import Glibc
import LinuxSystem

/// The engines that are installed below the state directory, each in `engines/ID` with the entry that it was installed from, and
/// checks of their files. Everything blocks.
public final class EngineLibrary: Sendable {
    /// In each engine's folder.
    public static let entryFile = "engine.json"
    private static let longestEntry = 1 << 20

    public let catalogue: EngineCatalogue
    public let architecture: String
    let root: String
    /// Copying and reading hundreds of megabytes would block the shared threads.
    private static let queue = DispatchQueue(label: "io.voicegate.engine-copies")
    let digests = FileDigests(capacity: 2 * VerifiedFolder.mostFiles)
    private let stateDirectory: String
    private let sync: @Sendable (_ path: String) throws(VerifiedFolderError) -> Void

    /// - Parameters:
    ///   - stateDirectory: must exist.
    ///   - sync: writes a file or folder to the disk.
    public init(
        catalogue: EngineCatalogue, stateDirectory: String, architecture: String = Machine.architecture,
        sync: @escaping @Sendable (_ path: String) throws(VerifiedFolderError) -> Void = VerifiedFolder.sync
    ) {
        self.catalogue = catalogue
        self.architecture = architecture
        self.stateDirectory = stateDirectory
        self.sync = sync
        root = stateDirectory + "/engines"
    }

    /// By name. Their files are not looked at.
    public func installed() -> [InstalledEngine] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.sorted().compactMap { try? engine($0) }
    }

    /// Of an installed engine.
    public func folder(of id: String) -> String { root + "/" + id }

    /// What differs from the entry that it was installed from; digests of unchanged files are cached.
    ///
    /// - Throws: `absent`
    public func faults(of id: String) throws(VerifiedFolderError) -> [FileFault] { try faults(of: try engine(id)) }

    /// An engine whose files are all as they should be. For each start of a recogniser.
    ///
    /// - Throws: `absent`; `damaged` naming the file.
    public func verified(_ id: String) throws(VerifiedFolderError) -> InstalledEngine {
        let engine = try engine(id)
        let faults = try faults(of: engine)
        guard faults.isEmpty else {
            let what = faults.prefix(3).map(\.description).joined(separator: ", ")
            throw VerifiedFolderError(
                code: .damaged,
                message: "The engine \(id) is not used: \(what). Install it again:  voicegate engine install "
                    + (engine.entry.files == nil ? id : "FOLDER --id \(id)"))
        }
        return engine
    }

    /// Copies an engine's folder below the state directory, verifies the copy against its entry, and that entry against the
    /// catalogue if it is of a known engine. Replaces an installed engine whose files are other ones. Removes the copy on failure.
    ///
    /// - Parameters:
    ///   - folder: the files of an engine and its `engine.json`.
    ///   - isUsed: such an engine is replaced only if it is damaged.
    ///   - trial: starts the copy, or throws why it cannot be started.
    /// - Throws: `unusable`, `damaged`, `exists`, `inUse`, `inputOutput`, and `trial`'s errors.
    public func add(
        _ folder: String, isUsed: (_ id: String) async -> Bool,
        trial: (_ entry: EngineEntry, _ copy: String) async throws -> Void
    ) async throws -> InstalledEngine {
        try? FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // An engine's name does not begin with a dot.
        let copy = root + "/.new-" + UUID().uuidString
        do {
            let (entry, isReplaced) = try await Self.queue.run { [self] in try take(folder, to: copy) }
            if isReplaced, await isUsed(entry.id) { throw Self.inUse(entry.id) }
            try await trial(entry, copy)
            try await Self.queue.run { [self] in
                try Self.encoded(entry).write(to: URL(fileURLWithPath: copy + "/" + Self.entryFile), options: .atomic)
                // After a power cut the engine is there as a whole, or not at all.
                try VerifiedFolder(copy).sync(by: sync)
                try place(copy, at: root + "/" + entry.id)
                for folder in [root, stateDirectory] { try sync(folder) }
            }
            return try engine(entry.id)
        } catch {
            await Self.queue.run { _ = try? FileManager.default.removeItem(atPath: copy) }
            throw error
        }
    }

    /// - Throws: `absent`; `inUse`.
    public func remove(_ id: String, isUsed: Bool) throws(VerifiedFolderError) {
        guard id != EngineEntry.builtIn else {
            throw VerifiedFolderError(
                code: .unusable, message: "\(id) is a part of VoiceGate and cannot be removed.")
        }
        guard Self.exists(id, below: root) else { throw Self.absent(id) }
        guard !isUsed else { throw Self.inUse(id) }
        // Renamed first, so that an interruption leaves no half of it.
        let old = root + "/.old-" + UUID().uuidString
        guard rename(root + "/" + id, old) == 0 else { throw Self.cannotPlace(id, errno) }
        try? FileManager.default.removeItem(atPath: old)
    }

    /// Removes what an interrupted service left of engines that were being added or removed. Before anything else is called.
    public func removeLeft() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(".new-") || name.hasPrefix(".old-") {
            try? FileManager.default.removeItem(atPath: root + "/" + name)
        }
    }

    /// The form of `engine.json`.
    public static func encoded(_ entry: EngineEntry) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(entry)
    }

    func engine(_ id: String) throws(VerifiedFolderError) -> InstalledEngine {
        guard EngineEntry.isIdentifier(id), Self.exists(id, below: root) else { throw Self.absent(id) }
        let entry = try Self.entry(in: root + "/" + id)
        guard entry.id == id else {
            throw VerifiedFolderError(
                code: .damaged, message: "\(root)/\(id) is the folder of another engine. Remove it.")
        }
        let lines = entry.files(for: architecture).sorted { $0.key < $1.key }.map { "\($0.value.sha256)  \($0.key)\n" }
        return InstalledEngine(
            entry: entry, folder: root + "/" + id,
            digest: Hexadecimal.encode(SHA256.hash(data: lines.joined().utf8)))
    }

    private func faults(of engine: InstalledEngine) throws(VerifiedFolderError) -> [FileFault] {
        faults(in: try VerifiedFolder(engine.folder), engine.entry)
    }

    func faults(in folder: VerifiedFolder, _ entry: EngineEntry) -> [FileFault] {
        folder.faults(wanted(entry), digests).filter { $0 != FileFault(file: Self.entryFile, kind: .added) }
    }

    func wanted(_ entry: EngineEntry) -> [String: String] {
        entry.files(for: architecture).mapValues(\.sha256)
    }

    /// The catalogue's entry of a known engine; an entry that only has its name is refused.
    private func known(_ entry: EngineEntry) throws(VerifiedFolderError) -> EngineEntry {
        try entry.check()
        guard entry.isAvailable(on: architecture) else {
            throw VerifiedFolderError(
                code: .unusable, message: "The engine \(entry.id) is not available for this machine (\(architecture)).")
        }
        guard let known = catalogue.entry(entry.id) else { return entry }
        guard wanted(known) == wanted(entry) else {
            throw VerifiedFolderError(
                code: .damaged,
                message:
                    "This is not the engine \(entry.id) of the catalogue: its files are other ones. Give it another id."
            )
        }
        return known
    }

    /// - Returns: the copy's entry, and whether an intact engine of its name with other files is there.
    private func take(
        _ folder: String, to copy: String
    ) throws(VerifiedFolderError) -> (entry: EngineEntry, isReplaced: Bool) {
        try VerifiedFolder(folder).copy(to: copy)
        let entry = try known(try Self.entry(in: copy))
        if let first = faults(in: try VerifiedFolder(copy), entry).first {
            throw VerifiedFolderError(code: .damaged, message: "The engine \(entry.id) is not installed: \(first).")
        }
        guard let present = try? engine(entry.id), try faults(of: present).isEmpty else { return (entry, false) }
        guard wanted(present.entry) != wanted(entry) else {
            throw VerifiedFolderError(code: .exists, message: "The engine \(entry.id) is installed already.")
        }
        return (entry, true)
    }

    private func place(_ copy: String, at target: String) throws(VerifiedFolderError) {
        let old = root + "/.old-" + UUID().uuidString
        let isReplaced = rename(target, old) == 0
        guard rename(copy, target) == 0 else {
            let number = errno
            if isReplaced { rename(old, target) }
            throw Self.cannotPlace(target, number)
        }
        if isReplaced { try? FileManager.default.removeItem(atPath: old) }
    }

    private static func entry(in folder: String) throws(VerifiedFolderError) -> EngineEntry {
        let path = folder + "/" + entryFile
        do {
            let data = try RegularFile(path: path, limit: longestEntry).data
            return try JSONDecoder().decode(EngineEntry.self, from: data)
        } catch {
            throw VerifiedFolderError(
                code: .unusable, message: "\(path) does not describe an engine. Use voicegate engine install.")
        }
    }

    private static func exists(_ id: String, below root: String) -> Bool {
        var status = stat()
        return EngineEntry.isIdentifier(id) && lstat(root + "/" + id, &status) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func absent(_ id: String) -> VerifiedFolderError {
        VerifiedFolderError(
            code: .absent,
            message: "The engine \(id.prefix(80)) is not installed. voicegate engine list shows what is there.")
    }

    private static func inUse(_ id: String) -> VerifiedFolderError {
        VerifiedFolderError(
            code: .inUse, message: "The engine \(id) is in use. First:  voicegate engine use \(EngineEntry.builtIn)")
    }

    private static func cannotPlace(_ name: String, _ number: Int32) -> VerifiedFolderError {
        VerifiedFolderError(
            code: .inputOutput, message: "\(name) cannot be renamed: \(String(cString: strerror(number))).")
    }
}

public struct InstalledEngine: Sendable, Hashable {
    public let entry: EngineEntry
    public let folder: String
    /// SHA-256 over the lines `SHA256  NAME` of its files as they should be, sorted by name: what a record calls its model's hash.
    public let digest: String
}
