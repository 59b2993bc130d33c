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
