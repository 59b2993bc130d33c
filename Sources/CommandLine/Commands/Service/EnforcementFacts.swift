import CLinux
import Foundation
import LinuxSystem
import SocketAPI

/// What enforcement depends on: the service's user and group, the devices, and the files of the package.
struct EnforcementFacts: Sendable {
    struct ServiceGroup: Sendable, Hashable {
        let identifier: UInt32
        /// Sorted names of users besides the service's own.
        let members: [String]
    }

    var group: ServiceGroup?
    /// Where udev's rule moves capture nodes to.
    var folder: FolderFact
    /// Of both folders.
    var nodes: [CaptureNode]
    /// Whether this user can read `folder`.
    var hasAllNodes: Bool
    var hasUdevRule: Bool
    var hasPolkitAction: Bool
    var hasPkcheck: Bool
    /// The folder where programs find the machine's service.
    var socketFolder: FolderFact
    var socketOwner: UInt32?
    /// Whether the socket's unit is started at boot; `nil` without systemd.
    var isSocketEnabled: Bool?
    var openPaths: OpenPaths
}

struct CaptureNode: Sendable, Hashable {
    let path: String
    let owner: UInt32
    let group: UInt32
    /// Permission bits.
    let mode: UInt32
    /// `nil` if it cannot be read.
    let accessList: AccessList?
    /// Whether udev gives it to the user at the machine; `nil` if udev has no record of it.
    let isTaggedUaccess: Bool?
    /// Sorted names of users besides root and the service's that could open it; `nil` if not run by root.
    let readers: [String]?
}

extension EnforcementFacts {
    static let name = "voicegate"
    private static let rule = "72-voicegate.rules"
    /// A directory server may have any number.
    private static let mostUsers = 5_000

    private typealias User = (name: String, identifier: UInt32, group: UInt32)

    /// Changes nothing and opens no device.
    ///
    /// - Returns: `nil` if the machine has no user for the service.
    static func gather() -> EnforcementFacts? {
        let users = users()
        guard let service = users.first(where: { $0.name == name }) else { return nil }
        let group = group(users)
        let paths = [CaptureUse.publicFolder, CaptureUse.privateFolder].flatMap { folder in
            ((try? Folder.names(in: folder, limit: 1_000)) ?? []).filter(CaptureUse.isCapture).map { folder + "/" + $0 }
        }
        let others = users.filter { $0.identifier != 0 && $0.identifier != service.identifier }
        let socket = FolderFact(path: ServicePaths.systemSocket)
        return EnforcementFacts(
            group: group, folder: FolderFact(path: CaptureUse.privateFolder),
            nodes: paths.compactMap { node($0, others) },
            hasAllNodes: access(CaptureUse.privateFolder, R_OK) == 0,
            hasUdevRule: hasRule(),
            hasPolkitAction: isThere("/usr/share/polkit-1/actions/io.voicegate.policy"),
            hasPkcheck: access("/usr/bin/pkcheck", X_OK) == 0,
            socketFolder: FolderFact(path: SocketPath.directory(of: socket.path)),
            socketOwner: socket.isThere ? socket.owner : nil,
            isSocketEnabled: isThere("/run/systemd/system")
                ? isThere("/etc/systemd/system/sockets.target.wants/voicegate.socket") : nil,
            openPaths: .gather())
    }

    private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// A file of the same name in /etc overrides the package's, and an empty one disables it (udev(7)).
    private static func hasRule() -> Bool {
        let folders = ["/etc/udev/rules.d/", "/run/udev/rules.d/", "/usr/lib/udev/rules.d/", "/lib/udev/rules.d/"]
        let first = folders.lazy.compactMap { try? FileMetadata(path: $0 + rule) }.first
        return first.map { $0.isRegularFile && $0.size > 0 } ?? false
    }

    private static func node(_ path: String, _ users: [User]) -> CaptureNode? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let device = UInt(status.st_rdev)
        let record = "/run/udev/data/c\(vg_device_major(device)):\(vg_device_minor(device))"
        let lines = (try? RegularFile(path: record, limit: 65_536)).map {
            String(decoding: $0.data, as: UTF8.self).split(separator: "\n")
        }
        return CaptureNode(
            path: path, owner: status.st_uid, group: status.st_gid, mode: UInt32(status.st_mode) & 0o7777,
            accessList: try? AccessList(of: path),
            // Q: present tags; G: all tags that it ever had (udev's database).
            isTaggedUaccess: lines.map { $0.contains("Q:uaccess") },
            readers: geteuid() == 0 ? users.filter { mayRead(path, $0) }.map(\.name).sorted() : nil)
    }

    private static func mayRead(_ path: String, _ user: User) -> Bool {
        var groups = [gid_t](repeating: 0, count: 1_024)
        var count = Int32(groups.count)
        guard getgrouplist(user.name, user.group, &groups, &count) >= 0 else { return true }
        return vg_may_read(path, user.identifier, user.group, groups, count) != 0
    }

    private static func users() -> [User] {
        setpwent()
        defer { endpwent() }
        var users: [User] = []
        // Safe: no other thread of this command reads users; each entry is copied before the next call.
        while users.count < mostUsers, let entry = getpwent()?.pointee {
            users.append((String(cString: entry.pw_name), entry.pw_uid, entry.pw_gid))
        }
        return users
    }

    private static func group(_ users: [User]) -> ServiceGroup? {
        // Safe: as above; a null pointer ends the list of names.
        guard let entry = getgrnam(name)?.pointee else { return nil }
        var members: Set<String> = []
        var next = entry.gr_mem
        while let member = next?.pointee {
            members.insert(String(cString: member))
            next = next?.advanced(by: 1)
        }
        members.formUnion(users.filter { $0.group == entry.gr_gid }.map(\.name))
        members.remove(name)
        return ServiceGroup(identifier: entry.gr_gid, members: members.sorted())
    }
}
