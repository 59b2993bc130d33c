import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Programs that the system marks as running other code")
struct CodeRunnersTests {
    private let folder: TemporaryFolder
    private let runners: CodeRunners

    init() throws {
        folder = try TemporaryFolder()
        for name in ["bin", "formats", "info"] {
            try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        runners = CodeRunners(
            folders: [folder.path + "/bin"], formats: folder.path + "/formats", status: folder.path + "/status",
            packages: PackageDatabase(folder: folder.path + "/info"))
    }

    private func program(_ name: String, _ text: String = "\u{7F}ELF") throws -> String {
        try folder.write(text, to: "bin/\(name)", permissions: 0o755)
    }

    private func metadata(_ path: String) throws -> FileMetadata { try FileMetadata(path: path) }

    @Test(
        "one that the first line of an installed script names, by env and through links too; a user's script does not count",
        .enabled(if: geteuid() == 0, "a script counts if root alone can write it"))
    func firstLine() throws {
        let (real, other) = (try program("tool-console"), try program("notes"))
        symlink(real, folder.path + "/bin/tool")
        let found = try program("finder")
        #expect(runners.reason(of: real) == nil)
        _ = try program("script", "#!\(folder.path)/bin/tool -q\nprint()\n")
        #expect(runners.reason(of: real)?.contains("bin/script runs in it") == true)
        #expect(runners.reason(of: folder.path + "/bin/tool") != nil)
        _ = try program("second", "#!/usr/bin/env -S finder --x\n")
        #expect(runners.reason(of: found)?.contains("bin/second") == true)
        let users = try program("third", "#!\(other)\n")
        chown(users, 1000, 1000)
        _ = try program("fourth")
        #expect(runners.reason(of: other) == nil)
        #expect(runners.reason(of: folder.path + "/bin/none") == nil)
    }

    @Test("one that the kernel starts for a format, whatever its name")
    func formats() throws {
        let program = try program("emulator-static")
        let other = try self.program("notes")
        try folder.write(
            "enabled\ninterpreter \(program)\nflags: OCF\noffset 0\nmagic 7f454c46\n", to: "formats/qemu-arm")
        try folder.write("enabled\n", to: "formats/status")
        #expect(runners.reason(of: program)?.contains("qemu-arm of binfmt_misc") == true)
        #expect(runners.reason(of: other) == nil)
    }

    @Test("what was found is kept without reading, until a program or a format is added")
    func kept() throws {
        let path = try program("emulator-static")
        let file = try metadata(path)
        #expect(failure(ProcessError.self) { try runners.reason(path, file, .cached) }?.code == .notRead)
        #expect(try runners.reason(path, file) == nil)
        #expect(try runners.reason(path, file, .cached) == nil)
        try folder.write("enabled\ninterpreter \(path)\n", to: "formats/new")
        #expect(failure(ProcessError.self) { try runners.reason(path, file, .cached) }?.code == .notRead)
        #expect(try runners.reason(path, file) != nil)
    }

    /// The shell is of a package of the section shells in each Debian.
    @Test(
        "one of a package of a section of languages; an ordinary program is not marked",
        .enabled(if: access("/var/lib/dpkg/status", R_OK) == 0, "needs dpkg"))
    func packages() throws {
        #expect(CodeRunners.ofSystem.reason(of: "/bin/sh") != nil)
        #expect(CodeRunners.ofSystem.reason(of: "/usr/bin/perl") != nil)
        for path in ["/usr/bin/curl", "/bin/cat", "/bin/sleep", "/usr/bin/sox"] where access(path, X_OK) == 0 {
            #expect(CodeRunners.ofSystem.reason(of: path) == nil, "\(path)")
        }
    }

    /// A language of Debian whose name no table has.
    private static let marked = ["/usr/bin/m4", "/usr/bin/bc", "/usr/bin/dc", "/usr/bin/tclsh8.6", "/usr/bin/lua5.4"]
        .first { CodeRunners.ofSystem.reason(of: $0) != nil }

    @Test(
        "a manifest describes no program that is marked, under whatever name it runs",
        .enabled(if: marked != nil, "needs a program such as m4, of a package of the section interpreters"))
    func caller() throws {
        let path = try #require(Self.marked)
        let planned = try PlannedProgram([path], searchPath: nil, folder: "/")
        #expect(planned.caller.evidence == .interpreter, "\(path)")
    }
}
