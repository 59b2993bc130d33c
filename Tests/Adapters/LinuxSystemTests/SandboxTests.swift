import Foundation
import TestSupport
import Testing

@Suite("The sandbox lets through what its table says", .serialized, .timeLimit(.minutes(5)))
struct SandboxTests {
    private static let table = Checkout.root.appending(path: "Sources/C/CLinux/sandbox.outcomes").path

    @Test(
        "each system call and each attempt to reach outside ends as in the table, on this kernel and on older ones",
        arguments: [
            [], ["--landlock", "5"], ["--landlock", "2"], ["--landlock", "0"], ["--no-namespaces"],
            ["--landlock", "2", "--no-namespaces"],
        ])
    func outcomes(kernel: [String]) throws {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "sandbox-probe")
        process.arguments = ["check", Self.table] + kernel
        let output = Pipe()
        process.standardOutput = output
        // An engine that is not started says so each time.
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.hasSuffix(" 0 differences\n"), "\(text)")
    }

    @Test("the table names every system call of this machine's headers")
    func names() throws {
        let headers = ["x86_64", "aarch64"].flatMap { architecture in
            ["unistd_64.h", "unistd.h"].map { "/usr/include/\(architecture)-linux-gnu/asm/\($0)" }
        }
        let path = try #require(headers.first { FileManager.default.fileExists(atPath: $0) })
        let header = try String(contentsOfFile: path, encoding: .utf8)
        let calls = header.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "#define", words[1].hasPrefix("__NR_") else { return nil }
            return String(words[1].dropFirst("__NR_".count))
        }
        // aarch64's header includes the generic one.
        try #require(calls.count > 300 || path.contains("aarch64"))
        let table = try String(contentsOfFile: Self.table, encoding: .utf8)
        let named = Set(
            table.split(separator: "\n").compactMap { line -> String? in
                let words = line.split(separator: " ")
                return words.first == "call" ? String(words[1]) : nil
            })
        #expect(calls.filter { !named.contains($0) }.isEmpty)
    }

    /// Calls that an engine could make before it was confined to a list (truncate, chmod, signals to a thread and queued).
    @Test("no role empties a file, changes its mode, or kills another process")
    func outside() throws {
        let table = try String(contentsOfFile: Self.table, encoding: .utf8)
        for name in ["truncate_path", "change_mode", "signal_kill", "signal_tgkill", "signal_queue"] {
            let line = try #require(table.split(separator: "\n").first { $0.hasPrefix("attempt \(name) ") })
            let cells = line.split(separator: " ").dropFirst(2)
            #expect(cells.first == "o", "it is not an attempt: without a role it has to succeed")
            #expect(cells.dropFirst().prefix(3).allSatisfy { $0 == "c" }, "\(line)")
        }
    }
}
