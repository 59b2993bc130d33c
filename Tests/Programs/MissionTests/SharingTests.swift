import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("C. Privacy: sharing", .timeLimit(.minutes(5)))
struct SharingTests {
    /// Speaks at once, and goes on with silence.
    private func service() async throws -> ServiceUnderTest {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        return service
    }

    private func dictation(_ service: ServiceUnderTest) -> [String] {
        ["curl", "-sN", "--unix-socket", service.socket, "-d", "{}", "http://voicegate/v1/dictation"]
    }

    /// Dictates until words have come, and ends the client.
    private func dictate(_ program: RunningProgram, meanwhile act: () async throws -> Void = {}) async throws {
        try await program.line { StreamEvent($0)?.type == "final" && $0.contains("go forward ten meters") }
        try await act()
        program.signal(SIGTERM)
        #expect(await program.end() == 128 + SIGTERM)
    }

    /// What the two records of the only session say.
    private func sharing(_ service: ServiceUnderTest) async throws -> [String?] {
        // The record of the end comes when the service has noticed the client's.
        while true {
            let records = try await service.records().filter { $0.kind.hasPrefix("session.") }
            if records.count == 2 { return records.map { $0.text("sharing") } }
            try Task.checkCancellation()
        }
    }

    @Test(
        "C1 a network that comes into a verified client's while it listens is noticed at the end and written down",
        .enabled(if: NetworkPair.isAvailable))
    func networkAppears() async throws {
        let service = try await service()
        let pair = try NetworkPair()
        let program = try service.start(dictation(service))
        try await dictate(program) { try pair.move(to: program.processIdentifier) }
        #expect(try await sharing(service) == ["verified", "declared"])
        #expect(service.program.errorText.contains("had one at the end of its session"))
    }

    @Test(
        "C1 a client in its own network namespace with a route out of it is not verified",
        .enabled(if: NetworkPair.isAvailable))
    func networkFromTheStart() async throws {
        let service = try await service()
        let pair = try NetworkPair()
        let script = "read go; exec " + dictation(service).map { "'\($0)'" }.joined(separator: " ")
        let program = try RunningProgram(
            ["/usr/bin/unshare", "--net", "/bin/sh", "-c", "echo apart; " + script], environment: service.environment)
        try await program.line { $0 == "apart" }
        try pair.move(to: program.processIdentifier)
        try program.type("go\n")
        try await dictate(program)
        #expect(try await sharing(service) == ["declared", "declared"])
    }
}
