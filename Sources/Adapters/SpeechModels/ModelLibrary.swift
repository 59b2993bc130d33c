import Foundation
import Glibc

/// Models that are known and models that the person added, and whether what is on the disk is right. Everything blocks.
///
/// Added models are below the state directory: `models/ID` with the files, and `models/ID.json` with their hashes.
public final class ModelLibrary: Sendable {
    public let catalogue: ModelCatalogue
    let root: String
    private let digests = FileDigests()

    /// - Parameter stateDirectory: must exist.
    public init(catalogue: ModelCatalogue, stateDirectory: String) {
        self.catalogue = catalogue
        root = stateDirectory + "/models"
    }

    /// The folder that a person means: a path, the name of an added model, or one of the catalogue.
    ///
    /// - Throws: `absent` when there is no model of that name.
    public func folder(of name: String) throws(SpeechModelError) -> String {
        if name.contains("/") { return name }
        if pinned(name) != nil { return root + "/" + name }
        if let folder = catalogue.entry(name)?.folder { return folder }
        throw SpeechModelError(
            code: .absent,
            message: "There is no model \(name.prefix(80)). voicegate models lists those that there are; a "
                + "folder is named by "
                + "its whole path.")
    }

    /// Looks at each file, or believes what it found when the file has not changed since.
    public func state(of folder: String) throws(SpeechModelError) -> ModelState {
        let files: ModelFolder
        do {
            files = try ModelFolder(folder)
        } catch  where error.code == .absent {
            return .absent
        }
        if let pin = pin(ofFolder: folder) {
            let faults = faults(of: files, pin.files)
            return faults.isEmpty ? .verified(id: pin.id) : .damaged(id: pin.id, faults)
        }
        let present = Set(files.files)
        // Where the package puts it, or with all of its files: then it is meant to be that one.
        let candidates = catalogue.models.filter { $0.folder == folder || present.isSuperset(of: $0.files.keys) }
        var damaged: ModelState?
        for entry in candidates {
            let faults = faults(of: files, entry.files)
            if faults.isEmpty { return .verified(id: entry.id) }
            damaged = damaged ?? .damaged(id: entry.id, faults)
        }
        return damaged ?? .unknown
    }

    /// Whether a recogniser may load it. A folder that is absent is left to the recogniser, which says so.
    ///
    /// - Throws: `damaged` naming the file; `unknown`.
    public func check(_ folder: String) throws(SpeechModelError) {
        switch try state(of: folder) {
        case .verified, .absent: return
        case .damaged(let id, let faults):
            let what = faults.prefix(3).map(\.description).joined(separator: ", ")
            throw SpeechModelError(
                code: .damaged,
                message: "The model in \(folder) is not used: \(what). " + Self.advice(id, catalogue, pinned(id) != nil)
            )
        case .unknown:
            throw SpeechModelError(
                code: .unknown,
                message: "The model in \(folder) is in no catalogue, so nobody can tell whether it is whole. If "
                    + "you trust it:  "
                    + "voicegate models add \(folder) --id NAME  and write  model: NAME  into config.yaml.")
        }
    }

    /// Those that were added, by name.
    public func added() -> [PinnedModel] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { pinned(String($0.dropLast(5))) }
    }

    func pinned(_ id: String) -> PinnedModel? {
        guard Self.isName(id), let data = FileManager.default.contents(atPath: "\(root)/\(id).json") else { return nil }
        return try? JSONDecoder().decode(PinnedModel.self, from: data)
    }

    func digests(of folder: ModelFolder) throws(SpeechModelError) -> [String: String] {
        var result: [String: String] = [:]
        for file in folder.files {
            guard let digest = digests.digest(folder.path + "/" + file) else {
                throw SpeechModelError(code: .inputOutput, message: "\(folder.path)/\(file) cannot be read.")
            }
            result[file] = digest
        }
        return result
    }

    static func isName(_ id: String) -> Bool { id.wholeMatch(of: /[a-z0-9][a-z0-9.-]{0,63}/) != nil }

    private func pin(ofFolder folder: String) -> PinnedModel? {
        let parts = folder.split(separator: "/")
        guard let name = parts.last, folder == root + "/" + name else { return nil }
        return pinned(String(name))
    }

    private func faults(of folder: ModelFolder, _ wanted: [String: String]) -> [ModelFault] {
        let present = Set(folder.files)
        let known = wanted.sorted { $0.key < $1.key }.compactMap { file, digest -> ModelFault? in
            guard present.contains(file) else { return ModelFault(file: file, kind: .missing) }
            return digests.digest(folder.path + "/" + file) == digest ? nil : ModelFault(file: file, kind: .changed)
        }
        // A file more may take the place of another when the model is loaded.
        return known + present.subtracting(wanted.keys).sorted().map { ModelFault(file: $0, kind: .added) }
    }

    private static func advice(_ id: String, _ catalogue: ModelCatalogue, _ isAdded: Bool) -> String {
        if !isAdded, let package = catalogue.entry(id)?.package {
            return "Install it again:  sudo apt-get install --reinstall \(package)"
        }
        return "Add it again:  voicegate models remove \(id)  and  voicegate models add FOLDER --id \(id)"
    }
}

extension ModelLibrary {
    /// Copies a model below the state directory and writes down what its files are. Nothing is left of one that fails.
    ///
    /// - Parameters:
    ///   - id: its name from now on; `nil`: that of the catalogue, or the folder's.
    ///   - trial: loads the copy, or throws why it cannot be.
    /// - Throws: `unusable`, `exists`, `damaged` when the catalogue knows another of that name, and what `trial` throws.
    public func add(
        _ folder: String, id: String?, trial: (_ copy: String) async throws -> Void
    ) async throws -> PinnedModel {
        let source = try ModelFolder(folder)
        let digests = try digests(of: source)
        let known = catalogue.models.first { $0.files == digests }
        let name = id ?? known?.id ?? folder.split(separator: "/").last.map { $0.lowercased() } ?? ""
        guard Self.isName(name) else {
            throw SpeechModelError(
                code: .unusable,
                message: "“\(name.prefix(80))” cannot be a model's name: small letters, digits, points and "
                    + "hyphens. Give one with "
                    + "--id.")
        }
        guard pinned(name) == nil else {
            throw SpeechModelError(
                code: .exists, message: "There is a model \(name) already. Remove it first, or give another --id.")
        }
        if let entry = catalogue.entry(name), entry.files != digests {
            let files = entry.files.filter { digests[$0.key] != $0.value }.keys.sorted()
            throw SpeechModelError(
                code: .damaged,
                message: "This is not the model \(name) of the catalogue: \(files.first ?? "a further file") "
                    + "differs. Take it "
                    + "from \(entry.source), or give it another --id.")
        }
        try? FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Names of models do not begin with a point.
        let copy = root + "/.new-" + UUID().uuidString
        do {
            try copyFiles(of: source, to: copy)
            guard try self.digests(of: try ModelFolder(copy)) == digests else {
                throw SpeechModelError(code: .inputOutput, message: "\(folder) changed while it was copied. Try again.")
            }
            try await trial(copy)
            let model = PinnedModel(id: name, origin: folder, date: Date(), files: digests)
            guard rename(copy, root + "/" + name) == 0 else {
                throw SpeechModelError(
                    code: .exists,
                    message: "There is something at \(root)/\(name) already. "
                        + ""
                        + "Remove it.")
            }
            try JSONEncoder().encode(model).write(
                to: URL(fileURLWithPath: "\(root)/\(name).json"), options: .atomic)
            return model
        } catch {
            try? FileManager.default.removeItem(atPath: copy)
            throw error
        }
    }

    /// - Throws: `absent`; `inUse` when it is the one that recognisers load.
    public func remove(_ id: String, loaded folder: String) throws(SpeechModelError) {
        guard pinned(id) != nil else {
            throw SpeechModelError(
                code: .absent, message: "No model \(id.prefix(80)) was added. voicegate models lists those that were.")
        }
        guard folder != root + "/" + id else {
            throw SpeechModelError(
                code: .inUse,
                message: "The model \(id) is in use. Name another one as  model:  in config.yaml, start the "
                    + "service again, then "
                    + "remove it.")
        }
        // The hashes first: what is left of an interruption is a folder that is not used.
        unlink("\(root)/\(id).json")
        try? FileManager.default.removeItem(atPath: root + "/" + id)
    }

    private func copyFiles(of source: ModelFolder, to copy: String) throws {
        let manager = FileManager.default
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        do {
            try manager.createDirectory(atPath: copy, withIntermediateDirectories: false, attributes: attributes)
            for file in source.files {
                let target = copy + "/" + file
                try manager.createDirectory(
                    atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                    attributes: attributes)
                try manager.copyItem(atPath: source.path + "/" + file, toPath: target)
            }
        } catch {
            throw SpeechModelError(
                code: .inputOutput,
                message: "The model cannot be copied to \(root): \(error.localizedDescription). Free some room there.")
        }
    }
}

/// Whether a model may be loaded.
public enum ModelState: Sendable, Hashable {
    /// Each file is as the catalogue says, or as it was when the person added it.
    case verified(id: String)
    /// Some file is not.
    case damaged(id: String, [ModelFault])
    /// No catalogue knows it, and nobody added it.
    case unknown
    /// There is no such folder, or nothing in it.
    case absent
}

/// Why a model is not used, added or removed. `code` tells how to react; the message is for people.
public struct SpeechModelError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no such model.
        case absent
        /// A file of it is not what it must be.
        case damaged
        /// No catalogue knows it, and nobody added it.
        case unknown
        /// The folder, or the name for it, cannot be taken.
        case unusable
        /// There is one of that name already.
        case exists
        /// It is in use.
        case inUse
        /// It cannot be read or written.
        case inputOutput
    }

    public let code: Code
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
