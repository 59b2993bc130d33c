import Foundation
import Glibc
import TestSupport
import Testing

@testable import Commands

@Suite("polkit's agent beside a command", .timeLimit(.minutes(1)))
struct PasswordAgentTests {
    @Test("it is awaited until it is ready, and ends with the request")
    func ending() async throws {
        let folder = try TemporaryFolder()
        let agent = try folder.write(
            "#!/bin/sh\necho \"$@\" >'\(folder.path)/options'\necho ready >&3\nexec sleep 600\n", to: "agent",
            permissions: 0o755)
        let process = try #require(PasswordAgent.start(agent))
        let options = try String(contentsOfFile: folder.path + "/options", encoding: .utf8)
        #expect(options == "--fallback --process \(getpid()) --notify-fd 3\n")
        #expect(kill(process, 0) == 0)
        await PasswordAgent.end(process)
        #expect(kill(process, 0) == -1)
    }

    @Test("one that cannot start, or ends at once, delays nothing")
    func missing() async throws {
        #expect(PasswordAgent.start("/nowhere/agent") == nil)
        await PasswordAgent.end(PasswordAgent.start("/bin/false"))
    }
}
