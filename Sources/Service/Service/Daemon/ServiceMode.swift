import ArgumentParser
import Authorization
import Glibc
import LinuxSystem
import SocketAPI

/// `--mode`. In enforced mode the service serves all users, and makes them confirm through polkit.
typealias ServiceMode = HealthReply.Mode

extension HealthReply.Mode: ExpressibleByArgument {
    var servedUsers: CallerInspector.ServedUsers {
        switch self {
        case .advisory: .one(geteuid())
        case .enforced: .all
        }
    }

    var confirmation: Confirmation? { self == .enforced ? Confirmation() : nil }

    /// The user whose records alone this user may read; `nil`: all. In advisory mode there is only one user.
    func recordsOwner(for user: UInt32) -> UInt32? { self == .enforced && user != 0 ? user : nil }

    /// Whether the user may do what concerns all users: backups, models, the log's key.
    func mayManage(_ user: UInt32) -> Bool { self == .advisory || user == 0 }

    /// - Throws: for an agent that does not ask the requesting user.
    func check(_ agent: AgentChoice) throws(ServiceError) {
        guard self == .enforced, agent != .caller else { return }
        throw ServiceError(
            code: .configuration,
            message:
                "In enforced mode only the users themselves answer, at their terminals or through voicegate agent. "
                + "Remove --agent, or run in advisory mode.")
    }

    /// - Parameters:
    ///   - folder: the user's clients folder; in enforced mode the folder of those of all users.
    ///   - builtIn: manifests of VoiceGate's own programs.
    func catalogs(in folder: String, builtIn: [Manifest]) -> ClientCatalogs {
        switch self {
        case .advisory:
            ClientCatalogs(ClientDirectory(userFolder: folder, builtIn: builtIn))
        case .enforced:
            ClientCatalogs { user in
                ClientDirectory(userFolder: Self.clients(of: user, in: folder), builtIn: builtIn)
            }
        }
    }

    /// The folder of the manifests that a user has installed at the machine's own service.
    static func clients(of user: UInt32, in folder: String) -> String { "\(folder)/\(user)" }
}
