import Foundation
import Glibc

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
