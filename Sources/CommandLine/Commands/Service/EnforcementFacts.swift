import CLinux
import Foundation
import LinuxSystem
import SocketAPI

/// What enforcement rests on: the service's own user and group, the devices, and what the package puts into place.
struct EnforcementFacts: Sendable {
    /// Of the service's group; `nil`: there is no such group.
    struct ServiceGroup: Sendable, Hashable {
        let identifier: UInt32
        /// Users in it besides the service's own, by name, sorted.
        let members: [String]
    }

    var group: ServiceGroup?
    var nodes: [CaptureNode]
    var hasUdevRule: Bool
    var hasPolkitAction: Bool
    var hasPkcheck: Bool
    /// Whether root alone can put a socket where programs look for the machine's own service.
    var socketFolder: FolderFact
    var socketOwner: UInt32?
    /// Whether the socket's unit is started with the machine; `nil`: there is no systemd.
    var isSocketEnabled: Bool?
}

/// A capture node as it is found.
struct CaptureNode: Sendable, Hashable {
    let path: String
    let owner: UInt32
    let group: UInt32
    /// Permission bits.
    let mode: UInt32
    /// `nil`: cannot be read.
    let accessList: AccessList?
    /// Whether udev gives it to whoever sits at the machine; `nil`: udev says nothing about it.
    let isTaggedUaccess: Bool?
    /// Users besides root and the service's that could open it, by name, sorted; `nil`: only root can find out.
    let readers: [String]?
}

/// Looks at what enforcement rests on. Changes nothing and opens no device.
enum EnforcementGathering {
    static let name = "voicegate"
    private static let devices = "/dev/snd"
    private static let rule = "72-voicegate.rules"
    /// Users that are asked about; a directory server may know any number.
    private static let mostUsers = 5_000

    private struct User {
        let name: String
        let identifier: UInt32
        let group: UInt32
    }

    /// - Returns: `nil` where the machine has no user for the service: nothing is installed that could enforce anything.
    static func facts() -> EnforcementFacts? {
        let users = users()
        guard let service = users.first(where: { $0.name == name }) else { return nil }
        let group = group(users)
        let names = (try? Folder.names(in: devices, limit: 1_000)) ?? []
        let others = users.filter { $0.identifier != 0 && $0.identifier != service.identifier }
        let socket = ServicePaths.systemSocket
        return EnforcementFacts(
            group: group,
            nodes: names.filter(CaptureUse.isCapture).compactMap { node(devices + "/" + $0, others) },
            hasUdevRule: hasRule(),
            hasPolkitAction: isThere("/usr/share/polkit-1/actions/io.voicegate.policy"),
            hasPkcheck: access("/usr/bin/pkcheck", X_OK) == 0,
            socketFolder: FolderFact(path: SocketPath.directory(of: socket)), socketOwner: owner(of: socket),
            isSocketEnabled: isThere("/run/systemd/system")
                ? isThere("/etc/systemd/system/sockets.target.wants/voicegate.socket") : nil)
    }

    private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func owner(of path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }

    /// A file of the same name in /etc comes before that of the package, and an empty one takes it away (udev(7)).
    private static func hasRule() -> Bool {
        for folder in ["/etc/udev/rules.d/", "/run/udev/rules.d/", "/usr/lib/udev/rules.d/", "/lib/udev/rules.d/"] {
            var status = stat()
            guard stat(folder + rule, &status) == 0 else { continue }
            return status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        }
        return false
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
            // Q: the tags that it has now; G: those that it ever had (udev's database).
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
        // Safe: this command has no other thread that asks for users; each entry is copied before the next call.
        while users.count < mostUsers, let entry = getpwent()?.pointee {
            users.append(User(name: String(cString: entry.pw_name), identifier: entry.pw_uid, group: entry.pw_gid))
        }
        return users
    }

    private static func group(_ users: [User]) -> EnforcementFacts.ServiceGroup? {
        // Safe: as above; the list of names ends with a null pointer.
        guard let entry = getgrnam(name)?.pointee else { return nil }
        var members: Set<String> = []
        var next = entry.gr_mem
        while let member = next?.pointee {
            members.insert(String(cString: member))
            next = next?.advanced(by: 1)
        }
        members.formUnion(users.filter { $0.group == entry.gr_gid }.map(\.name))
        members.remove(name)
        return EnforcementFacts.ServiceGroup(identifier: entry.gr_gid, members: members.sorted())
    }
}
