import Authorization
import Foundation
import Glibc
import LinuxSystem
import RecordRoutes
import Server

/// Erases everything of a user's number: decisions, mutes, what is kept, the fields of records, and installed manifests.
struct UserErasure: Sendable {
    let gate: Gate
    let erasure: RecordErasure
    /// With a folder for each user in it.
    let clientsFolder: String

    func forget(_ user: UInt32, by caller: Caller) async throws {
        for key in await gate.settledKeys(ofUser: user) { try await gate.reset(key, by: caller) }
        for scope in [MuteScope.user(user), .everyone] where await gate.mutes[scope]?.user == user {
            try await gate.unmute(scope, by: caller, managing: true)
        }
        _ = try await erasure.erase(RightsScope(user: user), by: caller)
        let folder = ServiceMode.clients(of: user, in: clientsFolder)
        if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
    }

    /// The same by the service itself.
    func forget(_ user: UInt32) async throws {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let file = try? FileMetadata(path: path),
            let status = try? ProcessStatus(of: getpid()),
            let digest = await Self.queue.run({ FileDigests().sha256(of: path) })
        else { throw RouteError(.unavailable, "The service cannot read its own program.") }
        try await forget(
            user,
            by: Caller(
                process: ProcessIdentity(processIdentifier: getpid(), startTime: status.startTime), user: geteuid(),
                executable: Executable(path: path, device: file.device, inode: file.inode, sha256: digest)))
    }

    private static let queue = BlockingQueues(label: "voicegate.user-erasure", width: 1)
}
