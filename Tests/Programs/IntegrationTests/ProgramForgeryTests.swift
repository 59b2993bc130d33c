import Foundation
import ProgramSupport
import TestSupport
import Testing

/// `program-forger` sets its own `/proc/PID/exe` in a user namespace. None of its code is of the program that it names.
@Suite("Programs that set their own /proc/PID/exe", .timeLimit(.minutes(3)))
struct ProgramForgeryTests {
    private static let forger = Programs.folder + "/program-forger"
    let service: ServiceUnderTest

    init() async throws {
        service = try await ServiceUnderTest()
        try service.registerCurl()
        #expect(try await service.run(["settings", "org.example.curl", "--allow", "microphone"]).status == 0)
    }

    /// - Returns: what the forger prints: its program, and the service's answer.
    private func forge(_ program: String, _ way: String, asking path: String) async throws -> (String, String) {
        let forger = try RunningProgram(
            [Self.forger, way, program, service.socket, path], environment: service.environment)
        await forger.end()
        return (forger.lines.first ?? "", forger.lines.last ?? "")
    }

    @Test("a program in another user namespace has no name, whatever /proc says that it runs")
    func alone() async throws {
        let (program, answer) = try await forge(Programs.curl, "alone", asking: "/v1/authorization")
        #expect(program == "program \(Programs.curl): Success")
        #expect(answer.contains(#""client":"unregistered."#), "\(answer)")
        #expect(!answer.contains("authorized"), "\(answer)")
    }

    @Test("neither the settings nor the records are read by a program that names the command line as its own")
    func commandLine() async throws {
        for path in ["/v1/settings", "/v1/audit/records"] {
            let (program, answer) = try await forge(Programs.commandLine, "alone", asking: path)
            #expect(program == "program \(Programs.commandLine): Success")
            #expect(answer.contains("403"), "\(answer)")
            #expect(!answer.contains("org.example.curl"), "\(answer)")
        }
    }

    /// Outside of what the kernel lets a service see; Documentation/Attacks.md says so.
    @Test("a program whose child sets the memory that both share is taken for the other program")
    func shared() async throws {
        let (program, answer) = try await forge(Programs.curl, "shared", asking: "/v1/authorization")
        #expect(program == "program \(Programs.curl): Success")
        #expect(answer.contains(#""client":"org.example.curl""#), "\(answer)")
    }

    @Test("a client without a network keeps its name, and cannot take another in a namespace that it makes")
    func confined() async throws {
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.forger</string>
            <key>CFBundleExecutable</key><string>\(Self.forger)</string>
            <key>NSMicrophoneUsageDescription</key><string>To test.</string>
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/forger/Info.plist")
        for way in ["alone", "shared"] {
            let forger = try service.start(
                [Self.forger, way, Programs.curl, service.socket, "/v1/authorization"], as: "org.example.forger")
            await forger.end()
            #expect(forger.lines.first == "program \(Self.forger): Operation not permitted", "\(forger.lines)")
            #expect(forger.lines.last?.contains(#""client":"org.example.forger""#) == true, "\(forger.lines)")
        }
    }

    @Test("a process that enters the namespace of a client without a network has no name there")
    func entered() async throws {
        let client = try service.start(
            ["curl", "-sN", "--unix-socket", service.socket, "http://v/v1/authorization/changes"])
        try await client.line { $0.hasPrefix("{") }
        let entering = try RunningProgram(
            [
                "/usr/bin/nsenter", "--user", "--preserve-credentials", "--target", "\(client.processIdentifier)",
                Programs.curl, "-s", "--unix-socket", service.socket, "http://v/v1/authorization",
            ], environment: service.environment)
        await entering.end()
        #expect(entering.lines.joined().contains(#""client":"unregistered."#), "\(entering.lines)")
        let asking = try service.start(["curl", "-s", "--unix-socket", service.socket, "http://v/v1/authorization"])
        await asking.end()
        #expect(asking.lines.joined().contains(#""client":"org.example.curl""#), "\(asking.lines)")
    }
}
