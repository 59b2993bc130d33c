import Foundation
import Testing

@Suite("Programs")
struct ProgramTests {
    @Test("Each program prints its help", arguments: ["voicegate-collector", "voicegate-sender", "voicegate-fleet"])
    func help(program: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: program)
        process.arguments = ["--help"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.contains("USAGE: \(program)"))
    }

    @Test(
        "Each program has a manual page, and one for each of its commands with all options",
        arguments: ["voicegate-collector": "8", "voicegate-sender": "8", "voicegate-fleet": "1"])
    func manual(program: String, section: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "voicegate-manual-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = Command.programs + "/" + program
        let written = try await Command.run([Command.checkout + "/Packaging/manual", path, section, folder.path])
        #expect(written.status == 0, "\(written)")
        func page(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: "\(name).\(section)"), encoding: .utf8)
                .replacing("\\-", with: "-")
        }
        let help = try await Command.run([path, "--help"]).text
        let commands = help.matches(of: #/\n  ([a-z]+) +/#).map { String($0.1) }
        #expect(commands.count >= 3)
        let pages = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        #expect(pages == Set(([program] + commands.map { "\(program)-\($0)" }).map { "\($0).\(section)" }))
        for command in commands {
            #expect(try page(program).contains("\\fB\(program)-\(command)\\fR(\(section))"), "\(command)")
            let text = try page("\(program)-\(command)")
            let options = try await Command.run([path, command, "--help"]).text.matches(of: /--[a-z][-a-z]+/)
            for option in options { #expect(text.contains(option.0), "\(command) \(option.0)") }
        }
    }
}
