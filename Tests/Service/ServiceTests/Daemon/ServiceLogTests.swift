import Foundation
import Logging
import Testing

@testable import Daemon

@Suite("The service's log")
struct ServiceLogTests {
    @Test("the message is before the fields, in one line, and its level counts")
    func order() throws {
        let pipe = Pipe()
        var logger = Logger(label: "voicegated") {
            ServiceLog(
                label: $0, output: ErrorOutput(pipe.fileHandleForWriting.fileDescriptor),
                now: { Date(timeIntervalSince1970: 1_790_000_000) })
        }
        logger[metadataKey: "user"] = "1000"
        logger.debug("not written")
        logger.error(
            "a policy file cannot be used",
            metadata: ["reason": "Line 4\n\u{1B}[2J", "path": "/etc/voicegate/policy.d/a.yaml"])
        logger[metadataKey: "user"] = nil
        logger.info("ready")
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
        #expect(
            text == """
                2026-09-21T14:13:20Z error voicegated: a policy file cannot be used: path=/etc/voicegate/policy.d/a.yaml \
                reason=Line 4\\u{a}\\u{1b}[2J user=1000
                2026-09-21T14:13:20Z info voicegated: ready

                """)
    }
}
