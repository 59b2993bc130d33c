import Authorization
import Consent
import Foundation
import Glibc
import LinuxSystem
import Logging
import SocketAPI
import Storage
import TestSupport
import Testing

@testable import RecordRoutes

@Suite("Checkpoints in the system's journal")
struct JournalAnchorTests {
    private let state: StateFixture
    private var folder: TemporaryFolder { state.folder }
    private var log: ConsentLog { state.log }

    init() async throws {
        state = try await StateFixture()
        try await log.beginSigning(with: CheckpointFiles(directory: state.path))
    }

    private func anchor(_ socket: String) -> JournalAnchor {
        JournalAnchor(
            log: log, minutes: 60, logger: Logger(label: "test"),
            journal: SystemJournal(socket: socket, syslog: folder.path + "/none"))
    }

    @Test("an entry has the log, its size, its root and the line that verify takes; without growth no entry follows")
    func entry() async throws {
        let path = folder.path + "/journal"
        let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(receiver) }
        try #require(SocketPath.withAddress(path) { bind(receiver, $0, $1) } == 0)
        func received() -> String? {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(receiver, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
        let anchor = anchor(path)
        await anchor.write()
        let head = await log.head
        let text = try #require(received())
        #expect(anchor.size == head.size && anchor.problem == nil)
        for line in [
            "MESSAGE=consent log: checkpoint \(ShortCheckpoint(head))", "VOICEGATE_SIZE=\(head.size)",
            "VOICEGATE_ROOT=\(head.root.base64)", "VOICEGATE_LOG=\(try await log.origin())",
        ] {
            #expect(text.contains(line + "\n"), "\(text)")
        }
        await anchor.write()
        #expect(received() == nil)
        try await log.record(.recovered(sessions: []), changing: nil)
        await anchor.write()
        #expect(received() != nil)
    }

    @Test("without a journal the problem is known to doctor")
    func problem() async throws {
        let anchor = anchor(folder.path + "/nowhere")
        await anchor.write()
        #expect(anchor.size == 0 && anchor.problem != nil)
    }
}
