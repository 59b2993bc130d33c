import Authorization
import Glibc
import LinuxSystem
import SocketAPI

/// `--mode`. In enforced mode the service serves all users, and makes them confirm through polkit.
package typealias ServiceMode = HealthReply.Mode

extension HealthReply.Mode {
    package var servedUsers: CallerInspector.ServedUsers { self == .enforced ? .all : .one(geteuid()) }

    package var confirmation: PasswordConfirmation? { self == .enforced ? PasswordConfirmation() : nil }

    /// The user whose records alone this user may read; `nil`: all. In advisory mode there is only one user.
    package func recordsOwner(for user: UInt32) -> UInt32? { self == .enforced && user != 0 ? user : nil }

    /// Whether the user may do what concerns all users: backups, models, the log's key.
    package func mayManage(_ user: UInt32) -> Bool { self == .advisory || user == 0 }

    /// - Parameters:
    ///   - folder: the user's clients folder; in enforced mode the folder of those of all users.
    ///   - builtIn: manifests of VoiceGate's own programs.
    package func catalogs(in folder: String, builtIn: [Manifest]) -> ClientCatalogs {
        guard self == .enforced else { return ClientCatalogs(ClientDirectory(userFolder: folder, builtIn: builtIn)) }
        return ClientCatalogs { ClientDirectory(userFolder: Self.clients(of: $0, in: folder), builtIn: builtIn) }
    }

    /// The folder of the manifests that a user has installed at the machine's own service.
    package static func clients(of user: UInt32, in folder: String) -> String { "\(folder)/\(user)" }
}
