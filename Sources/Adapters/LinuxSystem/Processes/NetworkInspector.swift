import Authorization
import CLinux
import Foundation
import Glibc
import Synchronization

/// Determines whether a client has a network: its processes, their descendants, and other processes of its user with its
/// connection.
///
/// A process that cannot be inspected counts as having a network. Not detected: processes of other users that have the
/// connection; daemons that left the client's process tree and do not have the connection; data passed on through pipes, files and
/// memory.
struct NetworkInspector {
    /// The most threads of a process; one with more counts as having a network.
    static let mostThreads = 4096

    let root: String
    let budget: DescriptorBudget

    /// Whether no client has the service's own network. Some links of proc; never waits.
    func areApart(_ clients: [ProcessIdentity]) -> Bool {
        let own = ownNetworks
        return !own.isEmpty && clients.allSatisfy { isApart($0.processIdentifier, from: own) }
    }

    /// Blocks: it reads the status of all processes, and the descriptors of the user's within the budget.
    ///
    /// - Parameters:
    ///   - clients: the client's processes at connect time.
    ///   - user: of the client.
    ///   - connection: the inode of this service's end of the connection.
    func finding(about clients: [ProcessIdentity], of user: UInt32, connection: UInt32) -> NetworkFinding {
        guard areApart(clients) else { return .hosts }
        do {
            return try search(clients, user, connection)
        } catch {
            return .unclear("its user has too many processes or descriptors to inspect")
        }
    }

    /// A service in its own network (PrivateNetwork=) must compare with process 1, too.
    private var ownNetworks: Set<String> { Set(["self", "1"].compactMap { LinkTarget.of("\(root)/\($0)/ns/net") }) }

    private func search(
        _ clients: [ProcessIdentity], _ user: UInt32, _ connection: UInt32
    ) throws(DescriptorSearch.Exceeded) -> NetworkFinding {
        var search = DescriptorSearch(root: root, budget)
        guard let names = try search.processes() else { return .unclear("proc cannot be read") }
        let all = names.compactMap { try? ProcessStatus(of: $0, root: root) }
        guard clients.allSatisfy(all.map(\.identity).contains) else { return .unclear("it ended") }
        var family = Self.descendants(of: clients.map(\.processIdentifier), in: all)
        guard let sockets = sockets(of: clients, connection) else {
            return .unclear("its connection was made in another network than its present one")
        }
        for process in names where !family.contains(process) && process != getpid() {
            guard search.isProcess(process, of: user) else { continue }
            if try search.sockets(of: process)?.isDisjoint(with: sockets) == false { family.insert(process) }
        }
        let networks = ClosedNetworks()
        let own = ownNetworks
        let foreign = HostSockets(root: root)
        for process in all where family.contains(process.processIdentifier) && !"ZXx".contains(process.state) {
            if let reason = try problem(of: process.processIdentifier, own, foreign, networks, &search) {
                return .unclear("process \(process.processIdentifier) \(reason)")
            }
        }
        guard clients.allSatisfy({ ProcessStatus(of: $0, root: root) != nil }) else { return .unclear("it ended") }
        return networks.areClosed() ? .closed(networks) : .unclear("its network has another device than lo")
    }

    private func isApart(_ process: Int32, from own: Set<String>) -> Bool {
        LinkTarget.of("\(root)/\(process)/ns/net").map { !own.contains($0) } ?? false
    }

    /// Each thread may have its own network, and its own descriptors.
    ///
    /// - Returns: the end of a sentence about the process; `nil`: it has no network.
    private func problem(
        of process: Int32, _ own: Set<String>, _ foreign: HostSockets, _ networks: ClosedNetworks,
        _ search: inout DescriptorSearch
    ) throws(DescriptorSearch.Exceeded) -> String? {
        let tasks = "\(root)/\(process)/task"
        guard let threads = try? Folder.names(in: tasks, limit: Self.mostThreads + 1) else {
            return access("\(root)/\(process)", F_OK) == 0 ? "cannot be inspected" : nil
        }
        guard threads.count <= Self.mostThreads else { return "has too many threads" }
        for thread in threads.compactMap({ Int32($0) }) {
            // The namespaces of a thread whose end has begun cannot be read, and it cannot use its descriptors.
            if let problem = try problem(ofThread: "\(tasks)/\(thread)", own, foreign, networks, &search),
                !ProcessStatus.isExiting(thread: thread, in: tasks)
            {
                return problem
            }
        }
        return nil
    }

    private func problem(
        ofThread folder: String, _ own: Set<String>, _ foreign: HostSockets, _ networks: ClosedNetworks,
        _ search: inout DescriptorSearch
    ) throws(DescriptorSearch.Exceeded) -> String? {
        guard let name = LinkTarget.of(folder + "/ns/net") else { return "cannot be inspected" }
        if own.contains(name) { return "is in the host's network" }
        guard networks.keep(name, seenIn: folder) else { return "has a network that cannot be inspected" }
        return foreign.haveAny(of: try search.sockets(in: folder)) ? "has a socket of the host's network" : nil
    }

    /// The sockets through which the client could pass on what it receives: its end of a connection in this service's network,
    /// else every Unix socket of its own networks, since the kernel does not identify the right one.
    ///
    /// - Returns: inodes; `nil` when the connection was made in a third network.
    private func sockets(of clients: [ProcessIdentity], _ connection: UInt32) -> Set<UInt32>? {
        var found = Set<UInt32>()
        for client in clients {
            guard
                let text = RegularFile.text(
                    "\(root)/\(client.processIdentifier)/net/unix", limit: HostSockets.longestTable)
            else { return nil }
            found.formUnion(UnixSocketTable.inodes(in: text))
        }
        // An accepted socket belongs to the network of the peer that connected.
        if found.contains(connection) { return found }
        let peer = vg_peer_socket_inode(connection)
        return peer == 0 ? nil : found.union([peer])
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

/// The network of a client.
public enum NetworkFinding: Sendable {
    /// It has only networks without a connection. Keep them as long as the session.
    case closed(ClosedNetworks)
    /// It has the service's own network, or it cannot be inspected.
    case hosts
    /// It has its own network that may have a connection: the reason, as the end of a sentence.
    case unclear(String)
}

/// `/proc/PID/net/dev`: the network devices of a process's namespace (proc_pid_net(5)).
///
/// Addresses and routes are not checked: both need a device.
enum NetworkDevices {
    static let sizeLimit = 1 << 20

    /// Whether the loopback device is the only one.
    ///
    /// - Parameter text: two header lines, then `NAME: counters` for each device. Any other format counts as a network.
    static func areLoopbackAlone(_ text: String) -> Bool {
        let lines = text.split(separator: "\n")
        guard lines.count >= 2, lines[0].hasPrefix("Inter-|"), lines[1].contains("|bytes") else { return false }
        return lines.dropFirst(2).allSatisfy { line in
            line.drop { $0 == " " }.hasPrefix("lo:")
        }
    }
}

/// The networks of a client's processes, none of which had a connection when they were inspected.
public final class ClosedNetworks: Sendable {
    /// By the kernel's name.
    private let kept = Mutex<[String: NetworkNamespace]>([:])

    /// - Parameters:
    ///   - name: each network is kept once.
    ///   - folder: of a thread in it.
    /// - Returns: whether it is kept.
    func keep(_ name: String, seenIn folder: String) -> Bool {
        kept.withLock { kept in
            if kept[name] != nil { return true }
            // A thread may change its namespace at any moment; the opened one must be the named one.
            guard let namespace = NetworkNamespace(of: folder), LinkTarget.of(folder + "/ns/net") == name else {
                return false
            }
            kept[name] = namespace
            return true
        }
    }

    /// Whether none of them has a connection now. A few system calls each.
    public func areClosed() -> Bool {
        let namespaces = kept.withLock { Array($0.values) }
        return !namespaces.isEmpty && namespaces.allSatisfy(\.isClosed)
    }
}
