/// The user at the other end of a TCP connection over 127.0.0.1. A Unix socket has `SO_PEERCRED`; for TCP the kernel names
/// the user of each socket in /proc/net/tcp (proc_pid_net(5)), as `sl local_address rem_address st queues timer retransmits
/// uid timeout inode …`, with addresses as `0100007F:1F90`. A row whose socket was closed has neither user nor inode.
public enum LoopbackPeer {
    /// - Parameters:
    ///   - port: of the other end.
    ///   - own: the port of this end.
    /// - Returns: `nil` if the connection has ended, or is in another network namespace.
    public static func user(atPort port: Int, connectedTo own: Int) -> UInt32? {
        RegularFile.table("/proc/self/net/tcp").flatMap { user(atPort: port, connectedTo: own, in: $0) }
    }

    static func user(atPort port: Int, connectedTo own: Int, in table: String) -> UInt32? {
        for line in table.split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count > 9, words[9] != "0", words[1] == address(port), words[2] == address(own) else {
                continue
            }
            return UInt32(words[7])
        }
        return nil
    }

    private static func address(_ port: Int) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return "0100007F:" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
