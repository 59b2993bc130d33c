import Authorization
import Base
import CLinux
import Foundation

/// Installs manifests in a user's clients folder, each atomically.
public struct ManifestInstallation: Sendable {
    private let clients: String
    /// On the same file system: a half-written manifest must not be among the clients.
    private let staging: String
    private let builtIn: [Manifest]

    public init(clients: String, staging: String, builtIn: [Manifest] = []) {
        self.clients = clients
        self.staging = staging
        self.builtIn = builtIn
    }

    /// - Returns: the client's folder.
    public func install(
        _ file: ManifestFile, as identifier: ClientIdentifier
    ) throws(ManifestInstallationError) -> String {
        let target = folder(of: identifier)
        let catalog = ClientDirectory(userFolder: clients, builtIn: builtIn).catalog()
        if let other = catalog.clients.first(where: { $0.manifest.identifier == identifier }),
            other.path != target + "/Info.plist"
        {
            throw ManifestInstallationError(
                code: .taken,
                message: "The identifier \(identifier) is taken by \(other.path ?? "VoiceGate itself"), which has "
                    + "precedence. Remove that one, or choose another identifier.")
        }
        if let manifest = try? file.manifest(),
            let other = catalog.clients.first(where: {
                $0.manifest.identifier != identifier && DescribedProgram($0.manifest) == DescribedProgram(manifest)
            })
        {
            throw ManifestInstallationError(
                code: .taken,
                message: "\(file.path) describes the same program as \(other.place), the manifest of "
                    + "\(other.manifest.identifier). Remove that one first: voicegate manifest remove "
                    + "\(other.manifest.identifier)")
        }
        let staging = self.staging + "/.installing-\(UUID().uuidString)"
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
        // After an exchange the old manifest is in the staging folder and is removed with it.
        let isThere = FileManager.default.fileExists(atPath: target)
        let outcome = isThere ? vg_exchange(staging, target) : rename(staging, target)
        guard outcome == 0 else { throw Self.failed(target, String(cString: strerror(errno))) }
        return target
    }

    public func isInstalled(_ identifier: ClientIdentifier) -> Bool {
        FileManager.default.fileExists(atPath: folder(of: identifier))
    }

    /// Removes a manifest of this folder, with its translations.
    ///
    /// - Parameter path: as `RegisteredClient.path` has it.
    /// - Returns: whether it is one of this folder.
    public func remove(_ path: String) throws(ManifestInstallationError) -> Bool {
        guard has(path) else { return false }
        let folder = (path as NSString).deletingLastPathComponent
        let target = path.hasSuffix("/Info.plist") && folder != clients ? folder : path
        do {
            try FileManager.default.removeItem(atPath: target)
        } catch {
            throw ManifestInstallationError(
                code: .failed,
                message: "\(target) cannot be removed: \(error.localizedDescription). Its permissions are withdrawn.")
        }
        return true
    }

    /// How many are installed.
    public var count: Int { (try? FileManager.default.contentsOfDirectory(atPath: clients))?.count ?? 0 }

    /// Whether the file is one of this folder.
    public func has(_ path: String) -> Bool { path.hasPrefix(clients + "/") }

    /// The folder of an installed client.
    public func folder(of identifier: ClientIdentifier) -> String {
        // A folder with the suffix .plist would be read as a manifest.
        let name = identifier.rawValue.hasSuffix(".plist") ? identifier.rawValue + ".client" : identifier.rawValue
        return clients + "/" + name
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private static func failed(_ path: String, _ reason: String) -> ManifestInstallationError {
        ManifestInstallationError(
            code: .failed, message: "\(path) cannot be written: \(reason). Nothing was installed.")
    }
}

/// Why a manifest was not installed or removed.
public typealias ManifestInstallationError = CodedError<ManifestInstallationErrorCode>

public enum ManifestInstallationErrorCode: String, Sendable, Hashable, CaseIterable {
    /// Another manifest with this identifier has precedence.
    case taken
    case failed
}
