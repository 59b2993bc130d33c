import Foundation
import ProgramSupport
import TestSupport
import Testing
import VoiceGateClient

@Suite("A. The model: changes", .timeLimit(.minutes(5)))
struct ChangesTests {
    private static let client = "org.example.tests"

    /// Makes this test's own program a client.
    private func registerTests(_ service: ServiceUnderTest) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(Self.client)</string>
            <key>CFBundleExecutable</key><string>\(program)</string>
            <key>NSSpeechRecognitionUsageDescription</key><string>To try the library.</string>
            <key>NSMicrophoneUsageDescription</key><string>To try the library.</string>
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/tests/Info.plist")
    }

    private func set(_ service: ServiceUnderTest, _ option: String) async throws {
        #expect(try await service.run(["settings", Self.client, option, "microphone"]).status == 0)
    }

    private func microphone(_ change: PermissionChange?) -> AuthorizationStatus? {
        switch change {
        case .state(let resources, _), .changed(let resources, _): resources[.microphone]?.status
        case .gap, .unreachable, nil: nil
        }
    }

    @Test("A13 the library's manager reports each change in order, continues over a restart, and reports a gap")
    func manager() async throws {
        var service = try await ServiceUnderTest()
        try registerTests(service)
        let manager = AuthorizationManager(service: VoiceGateService(socketPath: service.socket))
        var changes = manager.changes.makeAsyncIterator()
        #expect(microphone(await changes.next()) == .notDetermined)
        for (option, status) in [
            ("--deny", AuthorizationStatus.denied), ("--ask", .notDetermined), ("--allow", .authorized),
        ] {
            try await set(service, option)
            #expect(microphone(await changes.next()) == status)
        }
        #expect(try await manager.status(of: .microphone) == .authorized)
        #expect(try await manager.recordPermission == .granted)
        service.program.signal(SIGKILL)
        await service.program.end()
        service = try await ServiceUnderTest(continuing: service)
        try await set(service, "--deny")
        // Whether it saw the service gone depends on when it looked.
        var next = await changes.next()
        if case .unreachable = next { next = await changes.next() }
        #expect(next == .gap)
        var status = microphone(await changes.next())
        if status == .authorized { status = microphone(await changes.next()) }
        #expect(status == .denied)
    }

    @Test("A4 the microphone's three words, and the table of equivalents in the documentation")
    func equivalents() throws {
        #expect(
            AuthorizationStatus.allCases.map(RecordPermission.init) == [.undetermined, .denied, .denied, .granted])
        let root = Checkout.root
        let text = try String(contentsOf: root.appendingPathComponent("Documentation/Permissions.md"), encoding: .utf8)
        for status in AuthorizationStatus.allCases {
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(status.rawValue)` | `.") })
            #expect(row.contains("`.\(RecordPermission(status).rawValue)`"))
        }
    }
}
