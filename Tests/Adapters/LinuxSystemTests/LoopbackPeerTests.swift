import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite struct LoopbackPeerTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
           1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 30 10 -1
           2: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1
           4: 0100007F:D433 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
           3: 0200007F:D432 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 4 1 0 20 4 30 10 -1
        """

    @Test("the user is that of the other end, by both ports and both addresses")
    func user() {
        #expect(LoopbackPeer.user(atPort: 0xD431, connectedTo: 8080, in: Self.table) == 1000)
        #expect(LoopbackPeer.user(atPort: 0xD431, connectedTo: 8081, in: Self.table) == nil)
        #expect(LoopbackPeer.user(atPort: 0xD432, connectedTo: 8080, in: Self.table) == nil)
        #expect(LoopbackPeer.user(atPort: 0xD433, connectedTo: 8080, in: Self.table) == nil, "the socket was closed")
        #expect(LoopbackPeer.user(atPort: 0, connectedTo: 8080, in: Self.table) == nil)
        #expect(LoopbackPeer.user(atPort: 1, connectedTo: 1, in: "") == nil)
    }
}
