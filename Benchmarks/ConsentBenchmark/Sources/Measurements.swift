import Authorization
import Consent
import Crypto
import Foundation
import Storage

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
            SessionOutcome(reason: "ended", frames: 32_000))
    }

    func open(_ name: String) async throws -> (SQLiteStorage, ConsentLog) {
        let storage = try SQLiteStorage(directory: "\(directory)/\(name)-\(ProcessInfo.processInfo.processIdentifier)")
        return (storage, try await ConsentLog.open(storage: storage))
    }

    func oneByOne(count: Int) async throws {
        guard let event = Self.event else { return }
        let (storage, log) = try await open("append")
        // In turns, because the disk's rate is never the same for long.
        var bare: [Double] = []
        var ours: [Double] = []
        for _ in 0..<5 {
            bare.append(try Self.bareSyncs(count: count, path: directory + "/bare"))
            ours.append(try await Self.rate(count) { try await log.record(event, changing: nil) })
        }
        try storage.close()
        let (floor, rate) = (Self.median(bare), Self.median(ours))
        print("append one by one: \(Int(rate))/s; bare write and fdatasync: \(Int(floor))/s; ratio \(rate / floor)")
    }

    func groups(writers: Int, count: Int) async throws {
        guard let event = Self.event else { return }
        let (storage, log) = try await open("group")
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers {
                group.addTask { for _ in 0..<(count / writers) { try await log.record(event, changing: nil) } }
            }
            try await group.waitForAll()
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        let floor = try Self.bareSyncs(count: 500, path: directory + "/bare")
        print(
            "append by \(writers) writers: \(Int(Double(count) / seconds)) records/s; bare fdatasync: \(Int(floor))/s")
        try storage.close()
    }

    func verification(count: Int) async throws {
        guard let event = Self.event else { return }
        let (storage, log) = try await open("verify")
        try await Self.fill(log, with: event, count: count)
        let start = ContinuousClock.now
        let report = try await log.verify()
        let seconds = start.duration(to: .now) / .seconds(1)
        let bare = try await Self.bareHashing(count: Int(report.records))
        print(
            "verify: \(Int(Double(report.records) / seconds)) records/s, intact: \(report.isIntact); "
                + "bare SHA-256 of as many bytes, all processors: \(Int(bare))/s")
        try storage.close()
    }

    /// A log with this many records, to measure reading.
    func log(of count: Int) async throws {
        guard let event = Self.event else { return }
        let (storage, log) = try await open("fill")
        try await Self.fill(log, with: event, count: count)
        try storage.close()
    }

    func growth(upTo count: Int) async throws {
        guard let event = Self.event else { return }
        let (storage, log) = try await open("grow")
        var size = 1000
        while size <= count {
            try await Self.fill(log, with: event, count: size - Int(await log.head.size))
            let floor = try Self.bareSyncs(count: 500, path: directory + "/bare")
            let rate = try await Self.rate(500) { try await log.record(event, changing: nil) }
            print(
                "append at \(size) records: \(Int(1_000_000 / rate)) us; bare fdatasync: \(Int(1_000_000 / floor)) us")
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

    /// Syncs of a file whose room is there already, as a write-ahead log's is after its first round: the least that a
    /// durable write can cost here.
    static func bareSyncs(count: Int, path: String) throws -> Double {
        let file = Glibc.open(path, O_CREAT | O_RDWR | O_TRUNC, 0o600)
        guard file >= 0 else { throw POSIXError(.EIO) }
        defer {
            close(file)
            unlink(path)
        }
        let pages = 64
        let page = [UInt8](repeating: 7, count: 4096 * 3)
        for _ in 0..<pages where write(file, page, page.count) != page.count { throw POSIXError(.EIO) }
        guard fsync(file) == 0 else { throw POSIXError(.EIO) }
        let start = ContinuousClock.now
        for turn in 0..<count {
            guard pwrite(file, page, page.count, off_t(turn % pages * page.count)) == page.count,
                fdatasync(file) == 0
            else { throw POSIXError(.EIO) }
        }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    /// A leaf, a disclosure and a node for each record, from memory.
    static func bareHashing(count: Int) async throws -> Double {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let start = ContinuousClock.now
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<processors {
                group.addTask {
                    let (leaf, disclosure, node) = (Data(count: 180), Data(count: 520), Data(count: 65))
                    var sum = 0
                    for _ in 0..<(count / processors) {
                        for bytes in [leaf, disclosure, node] { sum += SHA256.hash(data: bytes).hashValue & 1 }
                    }
                    return sum
                }
            }
            await group.waitForAll()
        }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
