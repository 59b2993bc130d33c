import Foundation
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("The kernel's lists of devices and sockets")
struct NetworkTableTests {
    private static let headings = """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier

        """

    @Test(
        "only a network with the loopback device alone, or without devices, has no connection",
        arguments: [
            (headings + "    lo: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", true), (headings, true),
            (headings + "    lo: 0 0\n  eth0: 0 0\n", false), (headings + "  eth0: 0 0\n", false),
            (headings + "   lo0: 0 0\n", false), (headings + "  lo:1: 0 0\n  tun0:0\n", false), ("", false),
            ("    lo: 0 0\n", false), ("Inter-|\n    lo: 0\n", false),
        ])
    func devices(text: String, isClosed: Bool) { #expect(NetworkDevices.areLoopbackAlone(text) == isClosed) }

    @Test("sockets with a path are found once, also with spaces; abstract names are not")
    func unixSockets() {
        let text = """
            Num       RefCount Protocol Flags    Type St Inode Path
            ffff8881: 00000002 00000000 00010000 0001 01 20001 /run/one.sock
            ffff8882: 00000002 00000000 00010000 0001 01 20002 @/tmp/.X11-unix/X0
            ffff8883: 00000003 00000000 00000000 0001 03 20003
            ffff8884: 00000002 00000000 00010000 0001 01 20004 /home/a b/two sock
            ffff8885: 00000003 00000000 00000000 0001 03 20005 /run/one.sock
            ffff8886: 00000003 00000000 00000000 0001 03 20006 relative
            """
        #expect(UnixSocketTable.paths(in: text) == ["/home/a b/two sock", "/run/one.sock"])
        #expect(UnixSocketTable.inodes(in: text) == Set(20001...20006))
    }

    @Test("the inode of an Internet socket is the tenth column")
    func internetSockets() {
        let text = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 1 0 100 0
               1: 0100007F:1F91 00000000:0000 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0 100 0
            """
        #expect(HostSockets.inodes(in: text) == [12345])
    }

    @Test("an open socket is in this process's list and among its descriptors")
    func ownSockets() throws {
        let listener = try UnixListener()
        #expect(try UnixSocketTable.paths().contains(listener.path))
        let tcp = try AnsweringListener(.tcp)
        #expect(tcp.port != 0)
        var search = DescriptorSearch(root: "/proc")
        let open = try search.sockets(in: "/proc/self")
        #expect(HostSockets(root: "/proc").haveAny(of: open))
    }
}
