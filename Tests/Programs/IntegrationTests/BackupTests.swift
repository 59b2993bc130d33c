import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Backup and restore of the log", .timeLimit(.minutes(5)))
struct BackupTests {
    private let files = FileManager.default

    private func mode(_ path: String) throws -> Int {
        (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Makes a state directory of the files, as a person who restores would.
    private func restore(_ backup: String, into state: String, without left: [String] = []) throws {
        try? files.removeItem(atPath: state)
        try files.createDirectory(
            atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in try files.contentsOfDirectory(atPath: backup) where !left.contains(name) {
            try files.copyItem(atPath: backup + "/" + name, toPath: state + "/" + name)
        }
    }

    private func decide(_ service: ServiceUnderTest, _ resource: String) async throws {
        let result = try await service.run(["settings", "org.example.curl", "--allow", resource])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "a backup made while the service runs is whole elsewhere; that it was made, and that it was put back, are records, and it signs with its own key"
    )
    func onAnotherMachine() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        try await decide(service, "microphone")
        let backup = service.folder.path + "/backup"
        let made = try await service.run(["audit", "backup", backup])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try mode(backup) == 0o700)
        let names = try files.contentsOfDirectory(atPath: backup)
        for name in ["consent.sqlite", "consent.key", "consent.checkpoint"] {
            #expect(names.contains(name))
            #expect(try mode(backup + "/" + name) == 0o600)
        }
        let records = try await service.records()
        let record = records.last { $0.kind == "export.made" }
        #expect(record?.text("format") == "backup")
        #expect(record?.text("sha256").map { made.errors.contains($0) } == true, "\(made.errors)")
        // The service's temporary files for the copy are gone.
        while files.fileExists(atPath: service.stateDirectory + "/backup") { try Task.checkCancellation() }
        await service.stop()

        let other = try TemporaryFolder()
        try restore(backup, into: other.path + "/state")
        let restored = try await ServiceUnderTest(
            options: ["--state-directory", other.path + "/state"], continuing: service)
        #expect(try await restored.run(["audit", "verify"]).status == 0)
        // The copy was made before its record.
        let before = records.prefix { $0.kind != "export.made" }
        #expect(try await restored.records().prefix(before.count).map(\.index) == before.map(\.index))
        let settings = try await restored.run(["settings", "org.example.curl"]).output.joined()
        #expect(settings.contains("allowed"), "\(settings)")
        try await decide(restored, "speechRecognition")
        #expect(try await restored.run(["audit", "verify"]).status == 0)
        let kinds = try await restored.records().map(\.kind)
        #expect(kinds[before.count...].prefix(2) == ["recovery", "key.rotated"])
        #expect(try await restored.checkpoint().keys.count == 2)
        await restored.stop()
        let again = try await ServiceUnderTest(
            options: ["--state-directory", other.path + "/state"], continuing: service)
        #expect(try await again.checkpoint().keys.count == 2)
    }

    @Test(
        "a backup older than the last signed checkpoint is refused with the command that accepts it; that is recorded, and the log continues"
    )
    func olderThanSigned() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        try await decide(service, "microphone")
        let backup = service.folder.path + "/backup"
        #expect(try await service.run(["audit", "backup", backup]).status == 0)
        try await decide(service, "speechRecognition")
        await service.stop()
        let checkpoint = try Data(contentsOf: URL(fileURLWithPath: service.stateDirectory + "/consent.checkpoint"))
        try restore(backup, into: service.stateDirectory, without: ["consent.checkpoint"])
        try checkpoint.write(to: URL(fileURLWithPath: service.stateDirectory + "/consent.checkpoint"))
        chmod(service.stateDirectory + "/consent.checkpoint", 0o600)

        let refused = await #expect(throws: RunningProgram.Ended.self) {
            _ = try await ServiceUnderTest(continuing: service)
        }
        #expect(refused?.errors.contains("--accept-restored-log") == true, "\(refused?.errors ?? "")")
        let accepted = try await ServiceUnderTest(options: ["--accept-restored-log"], continuing: service)
        let record = try await accepted.records().last { $0.kind == "recovery" && $0.text("reason") == "restored" }
        #expect(record?.fields["lastSigned"] as? Int ?? 0 > record?.index ?? .max, "\(String(describing: record))")
        #expect(record?.text("checkpoint") == "ahead" && record?.fields["copy"] as? Bool == true)
        await accepted.stop()
        let later = try await ServiceUnderTest(continuing: service)
        #expect(try await later.run(["audit", "verify"]).status == 0)
        try await decide(later, "speechRecognition")
    }

    @Test("of a backup that is being copied when the service is killed nothing is left after the next start")
    func killed() async throws {
        let first = try await ServiceUnderTest()
        await first.stop()
        // The sweep at the start removes what belongs to no item: it is awaited.
        let stray = first.stateDirectory + "/kept/stray"
        #expect(files.createFile(atPath: stray, contents: Data()))
        let service = try await ServiceUnderTest(continuing: first)
        try await eventually { !files.fileExists(atPath: stray) }
        // Something to copy, so that the kill comes while the copy is there.
        let kept = service.stateDirectory + "/kept/item"
        #expect(files.createFile(atPath: kept, contents: Data(count: 64 << 20)))
        let backup = try service.commandLine(["audit", "backup", service.folder.path + "/backup"])
        let copy = service.stateDirectory + "/backup"
        while !files.fileExists(atPath: copy + "/kept/item") { try Task.checkCancellation() }
        service.program.signal(SIGKILL)
        await service.program.end()
        await backup.end()
        #expect(files.fileExists(atPath: copy + "/consent.key"))
        let next = try await ServiceUnderTest(continuing: service)
        #expect(!files.fileExists(atPath: copy))
        #expect(try await next.run(["audit", "backup", service.folder.path + "/again"]).status == 0)
    }

    @Test("a backup does not contain data that was erased before, not even in its free pages")
    func erased() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        let refused = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"microphone"}"#])
        await refused.end()
        // The request to forget the client is still recorded; the client's identity is not.
        let program = Programs.curl
        let records = try await service.records()
        try #require(records.contains { $0.mentions(program) })
        let erasing = try await service.run(["audit", "erase", "--client", "org.example.curl", "--yes"])
        #expect(erasing.status == 0, "\(erasing.errors)")
        let backup = service.folder.path + "/backup"
        #expect(try await service.run(["audit", "backup", backup]).status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: backup + "/consent.sqlite"))
        #expect(bytes.range(of: Data(program.utf8)) == nil)
    }

    @Test("a folder that is there is not written into; and no other program makes a backup")
    func refusals() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        let there = service.folder.path + "/there"
        try files.createDirectory(atPath: there, withIntermediateDirectories: false)
        #expect(try await service.run(["audit", "backup", there]).status == 74)
        #expect(try files.contentsOfDirectory(atPath: there).isEmpty)
        let missing = try await service.run(["audit", "backup", there + "/a/b"])
        #expect(missing.status == 74, "\(missing.errors)")
        let curl = try service.curl("/v1/audit/backups", ["-X", "POST"])
        await curl.end()
        #expect(curl.lines.joined().contains("notAllowed"), "\(curl.lines)")
        let script = try service.registerScript(
            "import subprocess, sys\nsys.exit(subprocess.run(sys.argv[1:]).returncode)", name: "one")
        let program = try RunningProgram(
            [
                "/usr/bin/python3", script, Programs.commandLine, "audit", "backup", there + "/c", "--socket",
                service.socket,
            ], environment: service.environment)
        #expect(await program.end() == 77, "\(program.errorText)")
        #expect(!files.fileExists(atPath: service.stateDirectory + "/backup"))
    }
}
