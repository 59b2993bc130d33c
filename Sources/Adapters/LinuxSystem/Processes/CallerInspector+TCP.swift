import CLinux
import Glibc

extension CallerInspector {
    /// Finds out who is at the other end of a TCP connection that was made on this machine. The kernel tells the other
    /// end's socket and whose it is (sock_diag(7)), and each process's descriptors tell whether it has that socket.
    ///
    /// TCP has no word for the process, so this believes less than `inspect(socket:)`: a caller whose descriptors cannot
    /// be seen, who shares the socket with another process, or who comes from another machine or network namespace is
    /// refused.
    ///
    /// - Parameter socket: connected; it must stay open until this returns.
    public func inspect(tcp socket: Int32) async throws(ProcessError) -> ConnectedCaller {
        try await onQueue { () throws(ProcessError) in
            var peer = vg_tcp_peer()
            guard vg_tcp_peer(socket, &peer) == 0 else {
                throw Self.ambiguous("no process of this machine's network has its other end", number: errno)
            }
            let process = try self.holder(of: peer.inode)
            let handle = try ProcessHandle(processIdentifier: process)
            // Whoever had the identifier before the handle was taken may be gone by now.
            guard self.holds(process, peer.inode) else { throw ProcessError.vanished(process) }
            guard let owner = try? FileMetadata(path: "\(self.root)/\(process)").owner, owner == peer.uid else {
                throw Self.ambiguous("the process that has its other end runs as another user than the one who made it")
            }
            return try self.lookAhead(
                PeerCredentials(processIdentifier: process, user: peer.uid, group: 0), handle, socketInode: 0)
        }
    }

    /// A process that starts another one shares everything with it for a moment.
    private func holder(of inode: UInt32) throws(ProcessError) -> Int32 {
        for _ in 1..<Self.looks {
            if let holder = try? soleHolder(of: inode) { return holder }
            usleep(Self.pause)
        }
        return try soleHolder(of: inode)
    }

    private static var looks: Int { 5 }
    /// Microseconds.
    private static var pause: UInt32 { 20_000 }

    private func soleHolder(of inode: UInt32) throws(ProcessError) -> Int32 {
        guard let names = try? Folder.names(in: root, limit: 1 << 20) else {
            throw ProcessError(code: .failed, message: "proc cannot be read. Mount it.")
        }
        let holders = names.compactMap { Int32($0) }.filter { holds($0, inode) }
        guard let holder = holders.first else {
            throw Self.ambiguous("the process that has its other end cannot be looked at from here")
        }
        guard holders.count == 1 else {
            throw Self.ambiguous("processes \(holders.map(String.init).joined(separator: ", ")) share its other end")
        }
        return holder
    }

    private func holds(_ process: Int32, _ inode: UInt32) -> Bool {
        SocketDescriptors.inodes(in: "\(root)/\(process)")?.contains(inode) ?? false
    }

    private static func ambiguous(_ what: String, number: Int32 = 0) -> ProcessError {
        ProcessError(
            code: .ambiguous,
            message: "The caller of a TCP connection is not known: \(what). Connect over the Unix socket.",
            number: number)
    }
}
