import Authorization
import Dispatch
import Foundation
import Glibc
import LinuxSystem

/// The models of the catalogue and those that the user added, and checks of their files. Everything blocks.
///
/// Added models are below the state directory: `models/ID` with the files, and `models/ID.json` with their hashes.
public final class ModelLibrary: Sendable {
    public let catalogue: ModelCatalogue
    let root: String
    /// Copying and reading hundreds of megabytes would block the shared threads.
    private static let queue = DispatchQueue(label: "io.voicegate.model-copies")
    private let digests = FileDigests(capacity: 2 * VerifiedFolder.mostFiles)
    private let stateDirectory: String
    private let sync: @Sendable (_ path: String) throws(VerifiedFolderError) -> Void

    /// - Parameters:
    ///   - stateDirectory: must exist.
    ///   - sync: writes a file or folder to the disk.
    public init(
        catalogue: ModelCatalogue, stateDirectory: String,
        sync: @escaping @Sendable (_ path: String) throws(VerifiedFolderError) -> Void = VerifiedFolder.sync
    ) {
        self.catalogue = catalogue
        self.stateDirectory = stateDirectory
        self.sync = sync
        root = stateDirectory + "/models"
    }

    /// The folder of a model by its path, or by the name of an added model or one of the catalogue.
    ///
    /// - Throws: `absent` when there is no model of that name.
    public func folder(of name: String) throws(VerifiedFolderError) -> String {
        if name.contains("/") { return name }
        if pinned(name) != nil { return root + "/" + name }
        if let folder = catalogue.entry(name)?.folder { return folder }
        throw VerifiedFolderError(
            code: .absent,
            message: "There is no model \(name.prefix(80)). voicegate models lists the known ones; "
                + "write a folder as an absolute path.")
    }

    /// Checks the digest of each file; digests of unchanged files are cached.
    public func state(of folder: String) throws(VerifiedFolderError) -> ModelState {
        let files: VerifiedFolder
        do {
            files = try VerifiedFolder(folder)
        } catch  where error.code == .absent {
            return .absent
        }
        if let pin = pin(ofFolder: folder) {
            let faults = files.faults(pin.files, digests)
            return faults.isEmpty ? .verified(id: pin.id) : .damaged(id: pin.id, faults)
        }
        let present = Set(files.files)
        // The package's folder, or a folder with all files of the entry.
        let candidates = catalogue.models.filter { $0.folder == folder || present.isSuperset(of: $0.files.keys) }
        var damaged: ModelState?
        for entry in candidates {
            let faults = files.faults(entry.files, digests)
            if faults.isEmpty { return .verified(id: entry.id) }
            damaged = damaged ?? .damaged(id: entry.id, faults)
        }
        return damaged ?? .unknown
    }

    /// Checks that a recogniser may load the model. The recogniser reports a missing folder itself.
    ///
    /// - Throws: `damaged` naming the file; `unknown`.
    public func check(_ folder: String) throws(VerifiedFolderError) {
        switch try state(of: folder) {
        case .verified, .absent: return
        case .damaged(let id, let faults):
            let what = faults.prefix(3).map(\.description).joined(separator: ", ")
            throw VerifiedFolderError(
                code: .damaged,
                message: "The model in \(folder) is not used: \(what). " + advice(id)
            )
        case .unknown:
            throw VerifiedFolderError(
                code: .unknown,
                message:
                    "The model in \(folder) is not in the catalogue, so its files cannot be verified. If you trust it:  "
                    + "voicegate models add \(folder) --id NAME  and write  model: NAME  into config.yaml.")
        }
    }

    /// The added models, by name.
    public func added() -> [PinnedModel] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { pinned(String($0.dropLast(5))) }
    }

    func pinned(_ id: String) -> PinnedModel? {
        guard Self.isName(id), let data = FileManager.default.contents(atPath: "\(root)/\(id).json") else { return nil }
        return try? JSONDecoder().decode(PinnedModel.self, from: data)
    }

    /// SHA-256 of each file of a model in hexadecimal, by its path in the folder.
    ///
    /// - Parameter isVerified: the model is used only if it verifies; then the digests that it must have suffice, without
    ///   reading the files.
    public func digests(of folder: String, isVerified: Bool) throws(VerifiedFolderError) -> [String: String] {
        if isVerified, let pin = pin(ofFolder: folder) { return pin.files }
        let files = try VerifiedFolder(folder)
        let known = catalogue.models.filter { Set(files.files).isSuperset(of: $0.files.keys) }
        if isVerified, known.count == 1 { return known[0].files }
        return try files.digests(digests)
    }

    static func isName(_ id: String) -> Bool { id.wholeMatch(of: /[a-z0-9][a-z0-9.-]{0,63}/) != nil }

    private func pin(ofFolder folder: String) -> PinnedModel? {
        let parts = folder.split(separator: "/")
        guard let name = parts.last, folder == root + "/" + name else { return nil }
        return pinned(String(name))
    }

    private func advice(_ id: String) -> String {
        if pinned(id) == nil, let package = catalogue.entry(id)?.package {
            return "Install it again:  sudo apt-get install --reinstall \(package)"
        }
        return "Add it again:  voicegate models remove \(id)  and  voicegate models add FOLDER --id \(id)"
    }
}

extension ModelLibrary {
    /// Copies a model below the state directory and records the digests of its files. Removes the copy on failure.
    ///
    /// - Parameters:
    ///   - id: its name; `nil`: the catalogue's or the folder's.
    ///   - trial: loads the copy, or throws why it cannot be loaded.
    /// - Throws: `unusable`, `exists`, `damaged` when the catalogue has another model of that name, `inputOutput`, and `trial`'s
    ///   errors.
    public func add(
        _ folder: String, id: String?, trial: (_ copy: String) async throws -> Void
    ) async throws -> PinnedModel {
        let (source, digests) = try await Self.queue.run { [all = self.digests] () throws(VerifiedFolderError) in
            let source = try VerifiedFolder(folder)
            return (source, try source.digests(all))
        }
        let known = catalogue.models.first { $0.files == digests }
        let name = id ?? known?.id ?? folder.split(separator: "/").last.map { $0.lowercased() } ?? ""
        guard Self.isName(name) else {
            throw VerifiedFolderError(
                code: .unusable,
                message: "“\(name.prefix(80))” cannot be a model's name. Use lower-case letters, digits, dots and "
                    + "hyphens, with --id.")
        }
        guard pinned(name) == nil else {
            throw VerifiedFolderError(
                code: .exists, message: "There is a model \(name) already. Remove it first, or give another --id.")
        }
        if let entry = catalogue.entry(name), entry.files != digests {
            let files = entry.files.filter { digests[$0.key] != $0.value }.keys.sorted()
            throw VerifiedFolderError(
                code: .damaged,
                message: "This is not the model \(name) of the catalogue: \(files.first ?? "an additional file") "
                    + "differs. Get it from \(entry.source), or give it another --id.")
        }
        try? FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // A model's name does not begin with a dot.
        let copy = root + "/.new-" + UUID().uuidString
        do {
            let copied = try await Self.queue.run { [all = self.digests] () throws(VerifiedFolderError) in
                try source.copy(to: copy)
                return try VerifiedFolder(copy).digests(all)
            }
            guard copied == digests else {
                throw VerifiedFolderError(
                    code: .inputOutput, message: "\(folder) changed while it was copied. Try again.")
            }
            try await trial(copy)
            let model = PinnedModel(id: name, origin: folder, date: Date(), files: digests)
            try await Self.queue.run { [self] in try place(copy, as: model) }
            return model
        } catch {
            for left in [copy, copy + ".json"] { try? FileManager.default.removeItem(atPath: left) }
            throw error
        }
    }

    /// After a power cut the model is there as a whole, or not at all: its digests, which make it one, are written last.
    private func place(_ copy: String, as model: PinnedModel) throws {
        let (target, digests) = (root + "/" + model.id, copy + ".json")
        try VerifiedFolder(copy).sync(by: sync)
        try JSONEncoder().encode(model).write(to: URL(fileURLWithPath: digests))
        try sync(digests)
        guard pinned(model.id) == nil else {
            throw VerifiedFolderError(code: .exists, message: "There is a model \(model.id) already.")
        }
        // A folder without digests is what an interruption left.
        try? FileManager.default.removeItem(atPath: target)
        for (from, to) in [(copy, target), (digests, target + ".json")] where rename(from, to) != 0 {
            let reason = String(cString: strerror(errno))
            throw VerifiedFolderError(code: .inputOutput, message: "\(to) cannot be written: \(reason).")
        }
        for folder in [root, stateDirectory] { try sync(folder) }
    }

    /// Removes what an interrupted service left of models that were being added. Before anything else is called.
    public func removeLeft() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(".new-") {
            try? FileManager.default.removeItem(atPath: root + "/" + name)
        }
    }

    /// - Parameter loaded: the folders or names of models that recognisers load.
    /// - Throws: `absent`; `inUse` when it is one of them.
    public func remove(_ id: String, loaded: Set<String>) throws(VerifiedFolderError) {
        guard pinned(id) != nil else {
            throw VerifiedFolderError(
                code: .absent,
                message: "There is no added model \(id.prefix(80)). voicegate models lists the added ones.")
        }
        let folder = root + "/" + id
        guard loaded.isDisjoint(with: [id, folder, folder + "/"]) else {
            throw VerifiedFolderError(
                code: .inUse,
                message: "The model \(id) is in use. Set another  model:  in config.yaml and restart the "
                    + "service, then remove it.")
        }
        // The digests first: after an interruption the remaining folder is not used.
        unlink("\(root)/\(id).json")
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// Whether a model may be loaded.
public enum ModelState: Sendable, Hashable {
    /// Each file is as in the catalogue, or as when the user added it.
    case verified(id: String)
    /// Some file is different.
    case damaged(id: String, [FileFault])
    /// Neither in the catalogue nor added.
    case unknown
    /// The folder does not exist or is empty.
    case absent
}

/// A model that the user added, with the digests of its files at that time.
public struct PinnedModel: Sendable, Hashable, Codable {
    public let id: String
    /// The folder that it was copied from.
    public let origin: String
    public let date: Date
    /// SHA-256 of each file in hexadecimal, by its path in the model's folder.
    public let files: [String: String]
}
