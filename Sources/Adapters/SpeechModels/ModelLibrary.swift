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
