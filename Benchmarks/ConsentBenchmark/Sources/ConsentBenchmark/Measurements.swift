import Authorization
import Consent
import Cryptography
import Floor
import Foundation
import Storage
import Synchronization

struct Measurements {
    let directory: String

    /// A session's end, as most records of a log are sessions.
    static let event: LedgerEvent? = ClientIdentifier(rawValue: "org.example.notes").map { client in
        .sessionStopped(
            SessionDescription(
                identifier: "7a9c1f5e-0f1d-4c55-9d0a-4d2f6a1be001",
                requester: Requester(
                    caller: Caller(
                        process: ProcessIdentity(processIdentifier: 4242, startTime: 77), user: 1000,
                        executable: Executable(
                            path: "/usr/bin/notes", device: 1, inode: 2, sha256: String(repeating: "ab", count: 32))),
                    client: Client(
                        manifest: Manifest(
                            identifier: client, name: "Notes", executablePath: "/usr/bin/notes", usageDescriptions: [:],
                            practices: DataPractices(
                                kinds: [.liveAudio, .transcript], purpose: "Notes", retention: nil, recipients: []))),
                    presence: .foreground), grants: [.microphone: "g1", .speechRecognition: "g2"], device: "default"),
            SessionOutcome(reason: "ended", account: ListeningAccount([.heard(.foreground): 32_000])))
    }

    /// The record that is written, and its size.
    private func sample() async throws -> (LedgerEvent, Sizes) {
        guard let event = Self.event else { throw POSIXError(.EINVAL) }
        let (storage, log) = try await open("sample")
        let index = try await log.record(event, changing: nil)
        guard let entry = try await log.entries(upTo: index + 1).entries.last else { throw POSIXError(.EIO) }
        try storage.close()
        return (event, Sizes(leaf: entry.leaf.utf8.count, disclosure: entry.disclosures[0].utf8.count))
    }

    func open(_ name: String) async throws -> (SQLiteStorage, ConsentLog) {
        let storage = try SQLiteStorage(directory: "\(directory)/\(name)-\(ProcessInfo.processInfo.processIdentifier)")
        return (storage, try await ConsentLog.open(storage: storage))
    }

    /// Records by as many writers as wait together, in turns with the same inserts in C, because the disk's rate is never the
    /// same for long; medians.
    func append(writers: Int, turns: Int, count: Int) async throws {
        let (event, sizes) = try await sample()
        let (storage, log) = try await open("append")
        let c = try Inserts(directory: directory, sizes)
        // The write-ahead logs' first rounds make their room.
        try await Self.fill(log, with: event, count: 10_000)
        _ = try c.rate(10_000, group: 256)
        var (inserts, ours): ([Double], [Double]) = ([], [])
        var processing = 0.0
        for _ in 0..<turns {
            inserts.append(try c.rate(count, group: writers))
            let before = Self.processorSeconds
            ours.append(try await Self.rate(count, by: writers, log, event))
            processing += Self.processorSeconds - before
        }
        try storage.close()
        print(
            "append by \(writers) writers: \(Self.whole(ours)) records/s, "
                + "\((processing * 1e6 / Double(count * turns)).text) us of CPU each; the same rows in C into SQLite, "
                + "\(writers) a transaction: \(Self.whole(inserts))/s; ratio \(Self.ratio(ours, inserts))")
    }

    /// What reading the records page by page costs those who append.
    func reading(writers: Int, turns: Int, seconds: Int) async throws {
        let (event, _) = try await sample()
        let (storage, log) = try await open("reading")
        try await Self.fill(log, with: event, count: 100_000)
        var (alone, beside, ratios, read): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for _ in 0..<turns {
            alone.append(try await Self.rate(for: seconds, by: writers, log, event))
            // A read that is cancelled throws, and its count is lost.
            let isOver = Flag()
            let reader = Task {
                var count = 0
                while !isOver.isSet { count += try await Self.readOnce(log, until: isOver) }
                return count
            }
            beside.append(try await Self.rate(for: seconds, by: writers, log, event))
            isOver.set()
            read.append(Double(try await reader.value) / Double(seconds))
            ratios.append(beside[beside.count - 1] / alone[alone.count - 1])
        }
        try storage.close()
        print(
            "append by \(writers) writers: \(Self.whole(alone)) records/s; while \(Self.whole(read)) records/s are read: "
                + "\(Self.whole(beside)); ratio \(Self.median(ratios).text)")
    }

    /// What a checkpoint costs, and what those who append notice of one after each growth, at most every 100 ms.
    func signing(turns: Int, count: Int) async throws {
        let (event, _) = try await sample()
        let (storage, log) = try await open("signing")
        try await log.beginSigning(
            with: CheckpointFiles(directory: (storage.path as NSString).deletingLastPathComponent))
        try await Self.fill(log, with: event, count: 10_000)
        let isFollowed = Mutex(false)
        let signed = Mutex(0)
        let following = Task {
            for await _ in log.growth where isFollowed.withLock({ $0 }) {
                _ = try await log.signedCheckpoint()
                signed.withLock { $0 += 1 }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        var (signing, alone, beside, ratios): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        var groupRatios: [Double] = []
        for _ in 0..<turns {
            isFollowed.withLock { $0 = false }
            try await log.record(event, changing: nil)
            var spent = Duration.zero
            for _ in 0..<20 {
                try await log.record(event, changing: nil)
                spent += try await ContinuousClock().measure { _ = try await log.signedCheckpoint() }
            }
            signing.append(spent / .milliseconds(1) / 20)
            let groupAlone = try await Self.rate(for: 1, by: 64, log, event)
            alone.append(try await Self.rate(count) { try await log.record(event, changing: nil) })
            isFollowed.withLock { $0 = true }
            beside.append(try await Self.rate(count) { try await log.record(event, changing: nil) })
            ratios.append(beside[beside.count - 1] / alone[alone.count - 1])
            groupRatios.append(try await Self.rate(for: 1, by: 64, log, event) / groupAlone)
        }
        following.cancel()
        _ = await following.result
        try storage.close()
        print(
            "a checkpoint: \(Self.median(signing).text) ms; append one by one: \(Self.whole(alone))/s, with checkpoints "
                + "beside: \(Self.whole(beside)), ratio \(Self.median(ratios).text); by 64 writers: ratio "
                + "\(Self.median(groupRatios).text); checkpoints: \(signed.withLock { $0 })")
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    /// As `GET /v1/audit/records` does it; until the flag is set.
    private static func readOnce(_ log: ConsentLog, until isOver: Flag) async throws -> Int {
        var (after, count): (UInt64?, Int) = (nil, 0)
        let size = await log.head.size
        repeat {
            let page = try await log.entries(upTo: size, after: after)
            for entry in page.entries { count += try ConsentRecord(entry).line.isEmpty ? 0 : 1 }
            after = page.last
        } while after != nil && !isOver.isSet
        return count
    }

    func verification(turns: Int, count: Int) async throws {
        let (event, sizes) = try await sample()
        let (storage, log) = try await open("verify")
        try await Self.fill(log, with: event, count: count)
        var (leaves, memory, reading, ours): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        var processing = 0.0
        for _ in 0..<turns {
            leaves.append(try await Self.hashing([sizes.leaf + 1], count: count))
            memory.append(try await Self.hashing([sizes.leaf + 1, sizes.disclosure, 65], count: count))
            reading.append(try await Self.readingAndHashing(storage.path, count: count))
            let before = Self.processorSeconds
            let start = ContinuousClock.now
            let report = try await log.verify()
            ours.append(Double(report.records) / (start.duration(to: .now) / .seconds(1)))
            processing += Self.processorSeconds - before
            guard report.isIntact else { throw POSIXError(.EIO) }
        }
        try storage.close()
        print(
            "verify: \(Self.whole(ours)) records/s, \((processing * 1e6 / Double(count * turns)).text) us of CPU each. On all "
                + "processors, SHA-256 of the same leaves in memory (\(sizes.leaf + 1) bytes): \(Self.whole(leaves))/s, ratio "
                + "\(Self.ratio(ours, leaves)); of leaves, disclosures (\(sizes.disclosure) bytes) and nodes in memory: "
                + "\(Self.whole(memory))/s, ratio \(Self.ratio(ours, memory)); the same read from SQLite by a C program: "
                + "\(Self.whole(reading))/s, ratio \(Self.ratio(ours, reading))")
    }

    /// A log with this many records, to measure reading.
    func log(of count: Int) async throws {
        guard let event = Self.event else { return }
        let (storage, log) = try await open("fill")
        try await Self.fill(log, with: event, count: count)
        try storage.close()
    }

    func growth(upTo count: Int) async throws {
        let (event, sizes) = try await sample()
        let (storage, log) = try await open("grow")
        let c = try Inserts(directory: directory, sizes)
        var size = 1000
        while size <= count {
            let grown = size - Int(await log.head.size)
            try await Self.fill(log, with: event, count: grown)
            _ = try c.rate(grown, group: 256)
            let inserts = try c.rate(500, group: 1)
            let rate = try await Self.rate(500) { try await log.record(event, changing: nil) }
            print(
                "append at \(size) records: \(Int(1_000_000 / rate)) us; the same rows in C: \(Int(1_000_000 / inserts)) us"
            )
            size *= 100
        }
        try storage.close()
    }

    static func fill(_ log: ConsentLog, with event: LedgerEvent, count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<256 {
                group.addTask {
                    for _ in 0..<(count / 256 + (writer < count % 256 ? 1 : 0)) {
                        try await log.record(event, changing: nil)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    static func rate(_ count: Int, _ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<count { try await body() }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    private static func rate(
        _ count: Int, by writers: Int, _ log: ConsentLog, _ event: LedgerEvent
    ) async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers {
                group.addTask { for _ in 0..<(count / writers) { try await log.record(event, changing: nil) } }
            }
            try await group.waitForAll()
        }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    private static func rate(
        for seconds: Int, by writers: Int, _ log: ConsentLog, _ event: LedgerEvent
    ) async throws -> Double {
        let before = await log.head.size
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers {
                group.addTask { while ContinuousClock.now < end { try await log.record(event, changing: nil) } }
            }
            try await group.waitForAll()
        }
        return Double(await log.head.size - before) / (start.duration(to: .now) / .seconds(1))
    }

    /// Of each record, as many bytes as the sizes say, from memory.
    private static func hashing(_ sizes: [Int], count: Int) async throws -> Double {
        let pieces = sizes.map { Data(count: $0) }
        return try await onAllProcessors(count) { range in
            for _ in range { for bytes in pieces { _ = SHA256.hash(data: bytes) } }
            return range.count
        }
    }

    /// The leaf, the disclosure and a node of each record.
    private static func readingAndHashing(_ path: String, count: Int) async throws -> Double {
        try await onAllProcessors(count) { range in
            Int(
                floor_rows(path, Int32(range.lowerBound), Int32(range.upperBound), nil) {
                    _, leaf, size, disclosure, length in
                    var hash = SHA256()
                    withUnsafeBytes(of: UInt8(0)) { hash.update(bufferPointer: $0) }
                    hash.update(bufferPointer: UnsafeRawBufferPointer(start: leaf, count: Int(size)))
                    _ = hash.finalize()
                    for (start, count) in [(disclosure, Int(length)), (disclosure, min(65, Int(length)))] {
                        var hash = SHA256()
                        hash.update(bufferPointer: UnsafeRawBufferPointer(start: start, count: count))
                        _ = hash.finalize()
                    }
                })
        }
    }

    /// - Parameter body: does its part of the work, and returns for how many records.
    private static func onAllProcessors(_ count: Int, _ body: @escaping @Sendable (Range<Int>) -> Int) async throws
        -> Double
    {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let start = ContinuousClock.now
        let done = await withTaskGroup(of: Int.self) { group in
            for part in 0..<processors {
                group.addTask { body(count * part / processors..<count * (part + 1) / processors) }
            }
            return await group.reduce(0, +)
        }
        guard done == count else { throw POSIXError(.EIO) }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The median of the turns' ratios.
    private static func ratio(_ values: [Double], _ others: [Double]) -> String {
        median(zip(values, others).map { $0 / $1 }).text
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func whole(_ values: [Double]) -> Int { Int(median(values)) }
}

/// The same inserts by a C program.
private final class Inserts {
    private let path: String
    private let sizes: Sizes
    private let log: OpaquePointer

    init(directory: String, _ sizes: Sizes) throws {
        path = directory + "/floor.sqlite"
        self.sizes = sizes
        guard let log = floor_open(path) else { throw POSIXError(.EIO) }
        self.log = log
    }

    deinit {
        floor_close(log)
        unlink(path)
    }

    /// - Returns: records in a second.
    func rate(_ count: Int, group: Int) throws -> Double {
        let taken = floor_append(
            log, Int32(count), Int32(group), Int32(sizes.leaf), Int32(sizes.disclosure))
        guard taken >= 0 else { throw POSIXError(.EIO) }
        return Double(count) / taken
    }
}

/// Bytes of a record in the log.
private struct Sizes {
    let leaf: Int
    let disclosure: Int
}

extension Double {
    fileprivate var text: String { String(format: "%.2f", self) }
}
