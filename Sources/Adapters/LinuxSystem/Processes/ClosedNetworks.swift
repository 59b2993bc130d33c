import Synchronization

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
