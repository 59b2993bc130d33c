import CLinux
import Glibc

/// Who connected to a Unix socket, by the kernel's word, as it was at connect time.
public struct PeerCredentials: Sendable, Hashable {
    public let processIdentifier: Int32
    public let user: UInt32
    public let group: UInt32

    init(processIdentifier: Int32, user: UInt32, group: UInt32) {
        self.processIdentifier = processIdentifier
        self.user = user
        self.group = group
    }

    /// - Parameter socket: a connected Unix socket; it is only looked at.
    public init(socket: Int32) throws(ProcessError) {
        var peer = vg_peer_credentials()
        // A TCP socket answers with process 0.
        guard vg_peer_credentials(socket, &peer) == 0, peer.pid > 0 else {
            throw ProcessError(
                code: .failed, message: "The kernel does not say who connected. Connect over the Unix socket.",
                number: errno)
        }
        processIdentifier = peer.pid
        user = peer.uid
        group = peer.gid
    }
}
