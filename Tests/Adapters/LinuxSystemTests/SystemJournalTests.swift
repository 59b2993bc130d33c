import Foundation
import Glibc
import LinuxSystem
import Testing

@Suite("Entries in the system's journal")
struct SystemJournalTests {
    private let folder = NSTemporaryDirectory() + "voicegate-journal-\(getpid())-\(UInt32.random(in: 0 ... .max))"

    init() { mkdir(folder, 0o700) }

    @Test("journald gets one datagram of fields, in which no value makes another field")
    func native() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/socket"
        let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(receiver) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        try SystemJournal(socket: path, identifier: "test").write("one\nFORGED=1", fields: ["VOICEGATE_SIZE": "7"])
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(receiver, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        #expect(text == "MESSAGE=one FORGED=1\nPRIORITY=6\nSYSLOG_IDENTIFIER=test\nVOICEGATE_SIZE=7\n")
    }

    @Test("without a journal and without a system log the writer learns that nothing was written")
    func none() {
        #expect(throws: FileError.self) {
            try SystemJournal(socket: folder + "/none", syslog: folder + "/none").write("lost")
        }
    }
}
