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
}
