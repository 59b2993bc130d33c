import ArgumentParser
import Authorization
import Glibc
import LinuxSystem
import SocketAPI

/// `--mode`
enum ServiceMode: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Runs as a user and serves that user.
    case advisory
    /// Runs as a user of its own, serves all users, and makes them confirm through polkit.
    case enforced

    var servedUsers: CallerInspector.ServedUsers {
        switch self {
        case .advisory: .one(geteuid())
        case .enforced: .all
        }
    }

    var confirmation: any Confirmation {
        switch self {
        case .advisory: NoConfirmation()
        case .enforced: PolkitConfirmation()
        }
    }

    /// Whose records alone the user may read; `nil`: everybody's. In advisory mode there is but one user.
    func recordsOwner(for user: UInt32) -> UInt32? { self == .enforced && user != 0 ? user : nil }

    /// Whether the user may do what concerns everybody whom the service serves: backups, models, the log's key.
    func mayManage(_ user: UInt32) -> Bool { self == .advisory || user == 0 }

    var health: HealthReply.Mode {
        switch self {
        case .advisory: .advisory
        case .enforced: .enforced
        }
    }

    /// - Throws: for an agent that answers without a person of the machine.
    func check(_ agent: AgentChoice) throws(ServiceError) {
        guard self == .enforced, agent != .caller else { return }
        throw ServiceError(
            code: .configuration,
            message:
                "In enforced mode nobody answers but the users themselves, at their terminals or where voicegate agent "
                + "runs. Leave --agent away, or run in advisory mode.")
    }
}

extension ServiceMode {
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

    /// Where the machine's own service keeps the manifests that a user has installed.
    static func clients(of user: UInt32, in folder: String) -> String { "\(folder)/\(user)" }
}
