import Authorization
import Foundation
import Glibc

/// Finds the manifests of clients: `NAME/Info.plist` or `NAME.plist` in each folder.
///
/// `catalog()` reads them anew each time; `ClientCatalogCache` does so when something has changed.
/// Every file is a regular one within `Manifest.sizeLimit`, or it is a problem; reading never waits.
public struct ClientDirectory: Sendable {
    public static let systemFolders = ["/etc/voicegate/clients", "/usr/share/voicegate/clients"]
    /// Files looked at in a folder; more than that are left out and reported.
    static let fileLimit = 500

    let folders: [String]
    private let builtIn: [Manifest]
    private let trustedUser: UInt32

    /// - Parameters:
    ///   - userFolder: `$XDG_CONFIG_HOME/voicegate/clients`; comes last.
    ///   - builtIn: manifests of VoiceGate's own programs; they come first.
    ///   - trustedUser: besides root, the one user whose files and folders are used.
    public init(
        systemFolders: [String] = Self.systemFolders, userFolder: String?, builtIn: [Manifest] = [],
        trustedUser: UInt32 = geteuid()
    ) {
        self.folders = systemFolders + (userFolder.map { [$0] } ?? [])
        self.builtIn = builtIn
        self.trustedUser = trustedUser
    }

    /// Reads all folders. A missing folder is no problem.
    public func catalog() -> ClientCatalog {
        var files = ManifestFiles()
        return catalog(&files) { _ in }
    }

    /// - Parameter onFolder: called for each folder in the given ones before it is looked into.
    func catalog(_ files: inout ManifestFiles, onFolder: (String) -> Void) -> ClientCatalog {
        files.begin()
        defer { files.settle() }
        var clients = builtIn.map { RegisteredClient(manifest: $0, path: nil) }
        var problems: [String: String] = [:]
        for folder in folders {
            files.noteWay(to: folder)
            for path in manifestPaths(in: folder, &problems, &files, onFolder) {
                do {
                    let manifest = try files.manifest(at: path, check: distrust)
                    if let other = clients.first(where: { $0.manifest.identifier == manifest.identifier }) {
                        let place = other.path ?? "VoiceGate itself"
                        problems[path] =
                            "The identifier \(manifest.identifier) is taken by \(place), which comes first."
                    } else {
                        clients.append(RegisteredClient(manifest: manifest, path: path))
                    }
                } catch let error as ManifestError {
                    problems[error.path ?? path] = error.message
                } catch let error as FileError {
                    problems[error.path] = Self.sentence(error.reason)
                } catch {
                    problems[path] = "It cannot be read: \(error)."
                }
            }
        }
        return ClientCatalog(clients: clients, problems: problems)
    }

    private func manifestPaths(
        in folder: String, _ problems: inout [String: String], _ files: inout ManifestFiles,
        _ onFolder: (String) -> Void
    ) -> [String] {
        do {
            let metadata = try FileMetadata(path: folder)
            guard metadata.isDirectory else {
                problems[folder] = "It is not a folder."
                return []
            }
            if let reason = distrust(metadata) {
                problems[folder] = reason
                return []
            }
            let names = try Folder.names(in: folder, limit: Self.fileLimit + 1)
            if names.count > Self.fileLimit {
                problems[folder] = "It holds more than \(Self.fileLimit) files; the others are not read."
            }
            return names.prefix(Self.fileLimit).compactMap {
                manifestPath(folder + "/" + $0, &problems, &files, onFolder)
            }
        } catch {
            if error.code != .missing { problems[folder] = Self.sentence(error.reason) }
            return []
        }
    }

    /// - Returns: `nil` for what is neither a plist nor a folder with one, such as an editor's backup.
    private func manifestPath(
        _ entry: String, _ problems: inout [String: String], _ files: inout ManifestFiles, _ onFolder: (String) -> Void
    ) -> String? {
        if entry.hasSuffix(".plist") { return entry }
        files.note(entry)
        guard let metadata = try? FileMetadata(path: entry), metadata.isDirectory else { return nil }
        onFolder(entry)
        for folder in ManifestFile.translationFolders(in: entry) { onFolder(folder.path) }
        if let reason = distrust(metadata) {
            problems[entry] = reason
            return nil
        }
        return entry + "/Info.plist"
    }

    /// Whoever can write a manifest can say what a program is and how its prompts read.
    private func distrust(_ metadata: FileMetadata) -> String? {
        if metadata.owner != 0 && metadata.owner != trustedUser {
            return "It belongs to user \(metadata.owner). It must belong to root or user \(trustedUser)."
        }
        return metadata.isWritableByAll ? "Everybody can write it. Use chmod o-w." : nil
    }

    private static func sentence(_ reason: String) -> String {
        let text = reason.prefix(1).uppercased() + reason.dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}
