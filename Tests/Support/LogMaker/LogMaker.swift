import Consent
import Foundation
import TestSupport

/// Writes consent logs of machines that never were: records, keys and sizes are those of the service, because its own code
/// makes them.
///
///     log-maker FOLDER FIRST-HOST COUNT RECORDS SEED [DAYS [ROTATIONS]]
///
/// One file a host, `FOLDER/host-NNNNN.log`; `FleetLog` writes it. Hosts, users and events are the seed's; keys, salts and the
/// names of logs are random. The records' times are spread over the last DAYS (default: 30) before now, and the key is rotated
/// ROTATIONS times (default: 2).
@main
enum LogMaker {
    static func main() async throws {
        let words = CommandLine.arguments
        let numbers = words.dropFirst(2).compactMap { Int($0) }
        guard (6...8).contains(words.count), numbers.count == words.count - 2 else { exit(64) }
        let (first, count, records, seed) = (numbers[0], numbers[1], numbers[2], numbers[3])
        let days = numbers.count > 4 ? numbers[4] : 30
        let rotations = numbers.count > 5 ? numbers[5] : 2
        let folder = URL(filePath: words[1])
        let width = ProcessInfo.processInfo.activeProcessorCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<count {
                if place >= width { try await group.next() }
                group.addTask {
                    let host = first + place
                    let log = try await HostHistory(
                        host: host, records: records, seed: UInt64(seed) << 32 | UInt64(host), days: days,
                        rotations: rotations
                    ).write()
                    try log.write(to: folder.appending(path: "host-" + String(format: "%05d", host) + ".log"))
                }
            }
            try await group.waitForAll()
        }
    }
}

/// A finished log as a file: a line of JSON with the origin and the keys, each with its secret and the index of its record;
/// then for each record its leaf behind a big-endian uint16, and its disclosure behind a big-endian uint32, which is
/// 0xFFFFFFFF without bytes if it was erased.
struct FleetLog {
    struct Head: Encodable {
        struct Key: Encodable {
            let vkey: String
            let secret: String
            let since: UInt64
        }

        let origin: String
        let size: UInt64
        let root: String
        let keys: [Key]
    }

    let head: Head
    let records: [StoredRecord]

    func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(head) + Data("\n".utf8)
        for record in records {
            withUnsafeBytes(of: UInt16(record.leaf.count).bigEndian) { data.append(contentsOf: $0) }
            data.append(record.leaf)
            withUnsafeBytes(of: record.disclosed.map { UInt32($0.count) }.orMissing.bigEndian) {
                data.append(contentsOf: $0)
            }
            if let text = record.disclosed { data.append(text) }
        }
        try data.write(to: url)
    }
}

extension UInt32? {
    /// What is in place of the length of a disclosure that is not there.
    fileprivate var orMissing: UInt32 { self ?? .max }
}
