import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("make install", .timeLimit(.minutes(2)))
struct InstallTests {
    private func run(_ options: [String], into folder: TemporaryFolder) async throws -> RunningProgram {
        let program = try RunningProgram(
            [Packaging.root + "/Scripts/install"] + options,
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "DESTDIR": folder.path, "PREFIX": "/opt/voice",
                "BUILT": (Programs.service as NSString).deletingLastPathComponent,
            ])
        await program.end()
        return program
    }

    private func files(_ folder: TemporaryFolder) -> Set<String> {
        let found =
            FileManager.default.enumerator(atPath: folder.path + "/opt/voice")?.compactMap { $0 as? String } ?? []
        return Set(
            found.filter {
                var isFolder: ObjCBool = false
                FileManager.default.fileExists(atPath: folder.path + "/opt/voice/" + $0, isDirectory: &isFolder)
                return !isFolder.boolValue
            })
    }

    @Test("installs programs, manual pages, completions and units that name its prefix; uninstall removes all of them")
    func life() async throws {
        let folder = try TemporaryFolder()
        let installed = try await run([], into: folder)
        #expect(installed.lines.last?.hasPrefix("Installed in ") == true, "\(installed.errorText)")
        let found = files(folder)
        let expected: Set = [
            "bin/voicegate", "bin/voicegated", "bin/voicegate-recognizer", "bin/voicegate-recognizer-onnx",
            "bin/voicegate-recognizer-vosk",
            "bin/voicegate-engine", "share/man/man1/voicegate-dictate.1", "share/man/man8/voicegated.8",
            "share/bash-completion/completions/voicegate", "share/zsh/site-functions/_voicegate",
            "share/fish/vendor_completions.d/voicegate.fish", "lib/systemd/user/voicegate.socket",
            "share/doc/voicegate/Documentation/Engines.md",
            "lib/systemd/user/voicegate-agent.service",
        ]
        #expect(expected.isSubset(of: found), "\(expected.subtracting(found))")
        #expect(!found.contains { $0.hasSuffix(".new") })
        let manual = try String(
            contentsOfFile: folder.path + "/opt/voice/share/man/man1/voicegate-transcribe.1", encoding: .utf8)
        for section in [
            "EXAMPLES\n.TP\n\\fBvoicegate transcribe ", "FILES\n.TP\n", "EXIT STATUS\n.TP\n\\fB0\\fR\nsuccess\n",
        ] {
            #expect(manual.contains(".SH " + section), "\(section)")
        }
        let unit = try String(
            contentsOfFile: folder.path + "/opt/voice/lib/systemd/user/voicegate.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/opt/voice/bin/voicegated "))
        #expect(!unit.contains("/usr/bin/"))
        let agent = try String(
            contentsOfFile: folder.path + "/opt/voice/lib/systemd/user/voicegate-agent.service", encoding: .utf8)
        #expect(agent.contains("ExecStart=/opt/voice/bin/voicegate agent --desktop"))

        let removed = try await run(["--remove"], into: folder)
        #expect(removed.lines.last?.hasPrefix("Removed from ") == true, "\(removed.errorText)")
        #expect(files(folder).isEmpty)
    }
}
