import Authorization
import CLinux
import Foundation
import Glibc
import Synchronization

/// The user namespace of a process (user_namespaces(7)). A process that has the capabilities of one that it made itself can set
/// its own `/proc/PID/exe` (`PR_SET_MM_MAP` in prctl(2)), mount what it likes and choose its root folder, so nothing that `/proc` says
/// about its program is evidence.
struct UserNamespace: Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// - Returns: `nil` if the kernel has none, or it cannot be read; `errno` has the reason.
    init?(of process: String, root: String) {
        var status = stat()
        guard stat("\(root)/\(process)/ns/user", &status) == 0 else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// Whether the process is in the namespace of this service. A service in a container compares with the container's own.
    ///
    /// - Throws: `vanished`.
    static func isOwn(_ process: Int32, root: String) throws(ProcessError) -> Bool {
        // A kernel without user namespaces has no such file.
        guard let own = UserNamespace(of: "self", root: root) else { return true }
        if let found = UserNamespace(of: "\(process)", root: root) { return found == own }
        if errno == ENOENT || errno == ESRCH { throw ProcessError.vanished(process) }
        return false
    }
}

/// The processes that `voicegate run --no-network` puts into a user namespace, announced by that command before it does so. Their
/// program is evidence there: the command executes it without capabilities, and its filter refuses `PR_SET_MM` to it and to all
/// its descendants.
final class ConfinedPrograms: Sendable {
    /// Of a user, at the same time.
    static let most = 64

    private let root: String
    private let announced = Mutex<[UInt32: Set<ProcessIdentity>]>([:])

    init(root: String) { self.root = root }

    /// - Returns: `false` if too many processes of the user are announced and run.
    func announce(_ process: ProcessIdentity, of user: UInt32) -> Bool {
        announced.withLock { announced in
            let running = (announced[user] ?? []).filter { ProcessStatus(of: $0, root: root) != nil }
            guard running.count < Self.most || running.contains(process) else { return false }
            announced[user] = running.union([process])
            return true
        }
    }

    /// Whether the process was announced, or descends from one that was.
    func contain(_ process: Int32) -> Bool {
        let all = announced.withLock { $0.values.reduce(into: Set()) { $0.formUnion($1) } }
        guard !all.isEmpty, var status = try? ProcessStatus(of: process, root: root) else { return false }
        for _ in 0..<ResponsibleProgramSearch.depthLimit {
            if all.contains(status.identity) { return true }
            guard status.parent > 0, let parent = try? ProcessStatus(of: status.parent, root: root) else {
                return false
            }
            status = parent
        }
        return false
    }
}
