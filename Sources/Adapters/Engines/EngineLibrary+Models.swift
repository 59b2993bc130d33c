import Foundation
import LinuxSystem

/// The models that PocketSphinx loads: the one of the catalogue, which a package of the system installs, and those that the user
/// installed.
extension EngineLibrary {
    /// The folder of a model by its path, by the name of an installed one, or by the name of the catalogue's folder.
    ///
    /// - Throws: `absent` if there is no model of that name.
    public func folder(ofModel name: String) throws(VerifiedFolderError) -> String {
        if name.contains("/") { return name }
        if let engine = try? engine(name), engine.entry.isModel { return engine.folder }
        if let folder = catalogue.model?.folder, folder.hasSuffix("/" + name) { return folder }
        throw VerifiedFolderError(
            code: .absent,
            message: "There is no model \(name.prefix(80)). voicegate engine list shows the installed ones; write a "
                + "folder as an absolute path.")
    }

    /// What describes the model in a folder: the entry of an installed one, or the catalogue's, of which a copy may be anywhere.
    public func entry(ofModel folder: String) -> EngineEntry? {
        let name = (folder as NSString).lastPathComponent
        if folder == root + "/" + name { return try? engine(name).entry }
        guard let model = catalogue.model, folder != model.folder else { return catalogue.model }
        let present = (try? VerifiedFolder(folder)).map { Set($0.files) } ?? []
        return present.isSuperset(of: wanted(model).keys) ? model : nil
    }

    /// Checks that a recogniser may load the model; digests of unchanged files are cached. The recogniser reports a missing folder
    /// itself.
    ///
    /// - Throws: `damaged` naming the file; `unknown` if nothing describes it.
    public func check(model folder: String) throws(VerifiedFolderError) {
        let files: VerifiedFolder
        do {
            files = try VerifiedFolder(folder)
        } catch  where error.code == .absent {
            return
        }
        guard let entry = entry(ofModel: folder) else {
            throw VerifiedFolderError(
                code: .unknown,
                message:
                    "The model in \(folder) is not in the catalogue, so its files cannot be verified. If you trust "
                    + "it:  voicegate engine install \(folder) --id NAME --language TAG  and write  model: NAME  into "
                    + "config.yaml.")
        }
        let faults = faults(in: files, entry)
        guard !faults.isEmpty else { return }
        let what = faults.prefix(3).map(\.description).joined(separator: ", ")
        let again =
            entry.package.map { "sudo apt-get install --reinstall \($0)" }
            ?? "voicegate engine install FOLDER --id \(entry.id)"
        throw VerifiedFolderError(
            code: .damaged, message: "The model in \(folder) is not used: \(what). Install it again:  \(again)")
    }

    /// SHA-256 of each file of a model in hexadecimal, by its path in the folder.
    ///
    /// - Parameter isVerified: the model is used only if it verifies; then the digests that it must have suffice, without
    ///   reading the files.
    public func digests(ofModel folder: String, isVerified: Bool) throws(VerifiedFolderError) -> [String: String] {
        if isVerified, let entry = entry(ofModel: folder) { return wanted(entry) }
        return try VerifiedFolder(folder).digests(digests)
    }
}
