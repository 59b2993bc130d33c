import Foundation

/// Runs `ledger-writer`, which is built beside the tests, and reads what it says line by line.
final class LedgerWriterProcess {
    let process = Process()
    private let pipe = Pipe()
    private var buffer = Data()

    init(_ directory: String, _ arguments: String...) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "ledger-writer")
        process.arguments = [directory] + arguments
        process.standardOutput = pipe
        try process.run()
    }

    /// The next line, or `nil` when the process has ended.
    func nextLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer = Data(buffer[(end + 1)...])
                return line
            }
            let chunk = pipe.fileHandleForReading.availableData
            guard !chunk.isEmpty else { return nil }
            buffer.append(chunk)
        }
    }

    /// All lines until the process ends.
    func remainingLines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
}
