import Authorization
import CLinux
import Foundation
import Glibc
import Synchronization

/// Tells whether a client has a network: it, everything that descends from it, and whoever holds its connection.
///
/// What cannot be read counts as a network. Not seen are: processes of other users that hold the connection, where this
/// service may not look at them; one that left the family before (a daemon) and holds no connection; pipes, files and
/// memory through which something outside is told.
struct NetworkInspector {
    /// Processes that are looked at; a client with more has a network, for all that is known.
    static let mostProcesses = 4096

    let root: String

    /// Blocks: it goes through all of proc once.
    ///
    /// - Parameters:
    ///   - clients: the client's processes, as they were when it connected.
    ///   - connection: the inode of this service's end of the connection.
    func finding(about clients: [ProcessIdentity], connection: UInt32) -> NetworkFinding {
        // A service in a network of its own (PrivateNetwork=) may look at process 1, and has to.
        let own = Set(["self", "1"].compactMap { LinkTarget.of("\(root)/\($0)/ns/net") })
        guard !own.isEmpty else { return .hosts }
        // Soon told for nearly all clients, which have the host's network.
        guard clients.allSatisfy({ isApart($0.processIdentifier, from: own) }) else { return .hosts }
        let foreign = HostSockets(root: root)
        guard let names = try? Folder.names(in: root, limit: 1 << 20) else { return .unclear("proc cannot be read") }
        let all = names.compactMap { Int32($0) }.compactMap { try? ProcessStatus(of: $0, root: root) }
        guard clients.allSatisfy({ client in all.contains { $0.isStill(client) } }) else { return .unclear("it ended") }
        var family = Self.descendants(of: clients.map(\.processIdentifier), in: all)
        guard let sockets = sockets(of: clients, connection) else {
            return .unclear("its connection was made in another network than its present one")
        }
        for process in all where !family.contains(process.processIdentifier) && process.processIdentifier != getpid() {
            if holds(process.processIdentifier, sockets) { family.insert(process.processIdentifier) }
        }
        guard family.count <= Self.mostProcesses else { return .unclear("it has too many processes") }
        let networks = ClosedNetworks()
        for process in all where family.contains(process.processIdentifier) && !"ZXx".contains(process.state) {
            if let reason = problem(of: process.processIdentifier, own, foreign, networks) {
                return .unclear("process \(process.processIdentifier) \(reason)")
            }
        }
        guard clients.allSatisfy({ (try? ProcessStatus(of: $0.processIdentifier, root: root))?.isStill($0) == true })
        else { return .unclear("it ended") }
        return networks.areClosed() ? .closed(networks) : .unclear("its network has another device than lo")
    }

    private func isApart(_ process: Int32, from own: Set<String>) -> Bool {
        LinkTarget.of("\(root)/\(process)/ns/net").map { !own.contains($0) } ?? false
    }

    /// Each thread may have a network of its own, and descriptors of its own.
    ///
    /// - Returns: the end of a sentence about the process; `nil`: nothing leads out of it.
    private func problem(
        of process: Int32, _ own: Set<String>, _ foreign: HostSockets, _ networks: ClosedNetworks
    ) -> String? {
        let tasks = "\(root)/\(process)/task"
        guard let threads = try? Folder.names(in: tasks, limit: Self.mostProcesses + 1) else {
            return access("\(root)/\(process)", F_OK) == 0 ? "cannot be looked at" : nil
        }
        guard threads.count <= Self.mostProcesses else { return "has too many threads" }
        for thread in threads {
            let folder = tasks + "/" + thread
            if let problem = problem(ofThread: folder, own, foreign, networks), access(folder, F_OK) == 0 {
                return problem
            }
        }
        return nil
    }

    private func problem(
        ofThread folder: String, _ own: Set<String>, _ foreign: HostSockets, _ networks: ClosedNetworks
    ) -> String? {
        guard let name = LinkTarget.of(folder + "/ns/net") else { return "cannot be looked at" }
        if own.contains(name) { return "is in the host's network" }
        guard networks.keep(name, seenIn: folder) else { return "has a network that cannot be looked at" }
        return foreign.areHeld(in: folder) ? "holds a socket of the host's network" : nil
    }

    /// Through which the client could pass on what it gets: its end of the connection where that was made in this service's
    /// network, or else any Unix socket of the networks that it is in, as nobody tells which one it is.
    ///
    /// - Returns: inodes; `nil` when the connection was made in a third network, so that it cannot be found.
    private func sockets(of clients: [ProcessIdentity], _ connection: UInt32) -> Set<UInt32>? {
        var found = Set<UInt32>()
        for client in clients {
            guard let text = KernelTable.text("\(root)/\(client.processIdentifier)/net/unix") else { return nil }
            found.formUnion(UnixSocketTable.inodes(in: text))
        }
        // A socket that was accepted belongs to the network of the one that connected.
        if found.contains(connection) { return found }
        let peer = vg_peer_socket_inode(connection)
        return peer == 0 ? nil : found.union([peer])
    }

    private func holds(_ process: Int32, _ sockets: Set<UInt32>) -> Bool {
        SocketDescriptors.inodes(in: "\(root)/\(process)")?.isDisjoint(with: sockets) == false
    }

    private static func descendants(of roots: [Int32], in all: [ProcessStatus]) -> Set<Int32> {
        let children = Dictionary(grouping: all, by: \.parent)
        var found = Set(roots)
        var queue = roots
        while let next = queue.popLast() {
            for child in children[next] ?? [] where found.insert(child.processIdentifier).inserted {
                queue.append(child.processIdentifier)
            }
        }
        return found
    }
}

extension ProcessStatus {
    fileprivate func isStill(_ process: ProcessIdentity) -> Bool {
        processIdentifier == process.processIdentifier && startTime == process.startTime
    }
}

/// What was found about the network of a client.
public enum NetworkFinding: Sendable {
    /// It has none, but networks that lead nowhere; to be kept as long as the session.
    case closed(ClosedNetworks)
    /// The service's own, or it cannot be looked at.
    case hosts
    /// It has one of its own, which may lead somewhere: why that is possible, as the end of a sentence.
    case unclear(String)
}

/// `/proc/PID/net/dev`: the network devices of a process's namespace (proc_pid_net(5)).
///
/// Addresses and routes are not looked at: both need a device.
enum NetworkDevices {
    static let sizeLimit = 1 << 20

    /// Whether there is nothing but the loopback device.
    ///
    /// - Parameter text: two lines of headings, then `NAME: counters` for each device. Anything else counts as a network.
    static func areLoopbackAlone(_ text: String) -> Bool {
        let lines = text.split(separator: "\n")
        guard lines.count >= 2, lines[0].hasPrefix("Inter-|"), lines[1].contains("|bytes") else { return false }
        return lines.dropFirst(2).allSatisfy { line in
            line.drop { $0 == " " }.hasPrefix("lo:")
        }
    }
}

/// The networks of a client's processes, none of which led anywhere when they were looked at.
public final class ClosedNetworks: Sendable {
    private struct Kept {
        var names: Set<String> = []
        var namespaces: [NetworkNamespace] = []
    }

    private let kept = Mutex(Kept())

    /// - Parameters:
    ///   - name: what the kernel calls it; the same one is kept once.
    ///   - folder: of a thread in it.
    /// - Returns: whether it is kept.
    func keep(_ name: String, seenIn folder: String) -> Bool {
        kept.withLock { kept in
            if kept.names.contains(name) { return true }
            guard let namespace = NetworkNamespace(of: folder) else { return false }
            // A thread may change its namespace at any moment; what was opened must be what was named.
            guard LinkTarget.of(folder + "/ns/net") == name else { return false }
            kept.names.insert(name)
            kept.namespaces.append(namespace)
            return true
        }
    }

    /// Whether nothing leads out of any of them now. A few system calls each.
    public func areClosed() -> Bool {
        let namespaces = kept.withLock(\.namespaces)
        return !namespaces.isEmpty && namespaces.allSatisfy(\.isClosed)
    }
}
