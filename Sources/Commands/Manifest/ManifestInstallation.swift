import Authorization
import CLinux
import Foundation
import LinuxProcesses

/// Puts a manifest into the user's clients folder, all of it at once.
struct ManifestInstallation {
    let configurationDirectory: String

    private var clients: String { configurationDirectory + "/clients" }

    /// - Returns: the client's folder.
    func install(_ file: ManifestFile, as identifier: ClientIdentifier) throws(CommandError) -> String {
        // A folder whose name ends so would be taken for a manifest itself.
        let name = identifier.rawValue.hasSuffix(".plist") ? identifier.rawValue + ".client" : identifier.rawValue
        let target = clients + "/" + name
        let catalog = ClientDirectory(userFolder: clients).catalog()
        if let other = catalog.clients.first(where: { $0.manifest.identifier == identifier })?.path,
            other != target + "/Info.plist"
        {
            throw CommandError(
                .badManifest, .badData,
                "The identifier \(identifier) is taken by \(other), which would come first. Remove that one.")
        }
        // Beside the clients folder: a half-written manifest must not be found there.
        let staging = configurationDirectory + "/.installing-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: staging) }
        do {
            try makeFolder(clients)
            try makeFolder(staging)
            try write(file.data, to: staging + "/Info.plist")
            for strings in file.translations {
                let folder = staging + "/\(strings.language).lproj"
                try makeFolder(folder)
                try write(strings.data, to: folder + "/InfoPlist.strings")
            }
        } catch {
            throw Self.failed(target, "\(error.localizedDescription)")
        }
        // The old one, where there is one, is then in the staging folder's place, and goes with it.
        let isThere = FileManager.default.fileExists(atPath: target)
        let outcome = isThere ? vg_exchange(staging, target) : rename(staging, target)
        guard outcome == 0 else { throw Self.failed(target, String(cString: strerror(errno))) }
        return target
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private static func failed(_ path: String, _ reason: String) -> CommandError {
        CommandError(.cannotWrite, .cannotWrite, "\(path) cannot be written: \(reason). Nothing was installed.")
    }
}
