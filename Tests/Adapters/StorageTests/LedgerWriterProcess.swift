import Consent
import Foundation
import Testing
@testable import Storage

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

/// The records that a storm of appends reported as durable, compared with the stored ones.
struct StormReport {
    private let records: [(index: UInt64, mark: String)]
    private let erased: [String]
    /// Whether it came so far as to be open.
    let wasOpen: Bool

    init(_ lines: [String]) {
        let words = lines.map { $0.split(separator: " ").map(String.init) }
        records = words.compactMap { words in
            words.count == 3 && words[0] == "record" ? UInt64(words[1]).map { ($0, words[2]) } : nil
        }
        erased = words.filter { $0.count == 2 && $0[0] == "erased" }.map { $0[1] }
        wasOpen = lines.contains("open")
    }

    /// Things that were acknowledged.
    var count: Int { records.count + erased.count }

    /// Opens the log as a service would, after whatever has happened to it: nothing that was acknowledged is missing, all
    /// fits together, the log is not shorter than its signed size, and erased data is gone.
    func check(_ directory: String, _ note: Comment) async throws {
        let storage = try await SQLiteStorage.reopened(directory)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: CheckpointFiles(directory: directory))
        #expect(try await log.verify().problem == nil, note)
        let found = try await log.records()
        for (index, mark) in records {
            let record = index < found.count ? found[Int(index)] : nil
            #expect(record?.fields["session"]?.string == mark, "record \(index); \(note)")
        }
        try storage.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let bytes = try Data(contentsOf: URL(filePath: directory + "/" + name))
            for mark in erased { #expect(bytes.range(of: Data(mark.utf8)) == nil, "\(mark) in \(name); \(note)") }
        }
    }
}
