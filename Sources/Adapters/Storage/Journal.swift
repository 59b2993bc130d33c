import Consent
import Foundation
import Synchronization

/// The records that are durable and not yet in the database, in a file beside it, `consent.journal`: an append is one write and
/// one sync, in room that was written before, so that the file system has nothing else to make durable.
///
/// The file has two halves. Frames (see `JournalFrame`) are written into one of them, and when that is full into the other, whose
/// records must be in the database by then. The database says how far it is: the transaction that inserts records stores the
/// `JournalPosition` behind them.
///
/// Writing is for one thread at a time, the log's own; what waits may be asked for by any.
final class Journal: @unchecked Sendable {
    // Safe: `found` and `end` belong to the thread that writes, which before the first append is the one that settles the log;
    // the rest is constant or locked.

    /// Bytes of a half: about a thousand records.
    static let half = 1 << 20

    /// Records that are durable here and perhaps nowhere else.
    struct Waiting: Sendable {
        let batch: StoredBatch
        let end: JournalPosition
        let size: Int
    }

    private struct State {
        /// What the database has stored.
        var folded: JournalPosition
        /// Behind that, in order.
        var waiting: [Waiting] = []
        var size = 0
        /// Bytes that waited when the database was last to get them.
        var offered = 0

        mutating func add(_ added: Waiting) {
            waiting.append(added)
            size += added.size
        }
    }

    let path: String
    let identity: FileIdentity
    private let file: SQLiteFile
    private let state: Mutex<State>
    /// Frames behind what the database has stored, as they were found, until `secure` has made them durable.
    private var found: [(offset: Int, bytes: [UInt8])] = []
    /// Behind the last frame: what a database stores that has all records.
    private(set) var end: JournalPosition

    /// Makes a journal without records, with all of its room; what was in the file is overwritten.
    ///
    /// - Throws: `DatabaseError`, `StorageError`.
    init(making path: String, half: Int) throws {
        self.path = path
        file = try SQLiteFile(opening: path)
        identity = try FileIdentity(path: path)
        try file.zero(0..<2 * half)
        var generator = SystemRandomNumberGenerator()
        let seal = (0..<JournalFrame.sealSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let frame = JournalFrame.bytes(nil, after: seal)
        end = JournalPosition(half: half, behind: frame, at: 0)
        state = Mutex(State(folded: end))
        try frame.withUnsafeBytes { try file.write($0, at: 0) }
        try file.sync()
    }

    /// Reads the journal that a database was last written with, and changes nothing.
    ///
    /// - Parameters:
    ///   - folded: what the database has stored.
    ///   - tree: the database's.
    /// - Throws: `DatabaseError`; `StorageError`: `logLost` if the file is not there or another one, or if its records do
    ///   not follow the database's.
    init(path: String, at folded: JournalPosition, after tree: StoredTree?) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Self.isLost(path) }
        self.path = path
        file = try SQLiteFile(opening: path)
        identity = try FileIdentity(path: path)
        let bytes = try file.read(2 * folded.half)
        guard folded.isBehindFrame(in: bytes) else { throw Self.isLost(path) }
        var state = State(folded: folded)
        var (end, tree) = (folded, tree)
        while let frame = end.nextFrame(in: bytes, mayTurn: end.index == folded.index) {
            found.append((frame.startIndex, Array(frame)))
            end = JournalPosition(half: folded.half, behind: Array(frame), at: frame.startIndex)
            guard let batch = try JournalFrame.batch(in: frame, after: tree) else { continue }
            state.add(Waiting(batch: batch, end: end, size: frame.count))
            tree = batch.tree
        }
        // A half is begun again only when the database has all that was in it: this database is an earlier one.
        if end.index != folded.index, end.nextFrame(in: bytes, mayTurn: true) != nil { throw Self.isLost(path) }
        self.state = Mutex(state)
        self.end = end
    }

    /// Makes durable what was found in the file. A process that was killed may have left it in memory alone; after a sync that
    /// failed the system takes it for written, so it is written again. Call it before anything depends on it.
    ///
    /// - Throws: `DatabaseError`.
    func secure() throws {
        guard !found.isEmpty else { return }
        for (offset, bytes) in found { try bytes.withUnsafeBytes { try file.write($0, at: offset) } }
        try file.sync()
        found = []
    }

    /// In order.
    var waiting: [Waiting] { state.withLock { $0.waiting } }

    var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Whether so much waits that the database should get it now, beside further appends. If it cannot, as on a full disk, it is
    /// not asked again before there is as much more.
    func offers() -> Bool {
        state.withLock { state in
            guard state.size >= state.offered + state.folded.half / 2 else { return false }
            state.offered = state.size
            return true
        }
    }

    /// Makes the records durable.
    ///
    /// - Returns: whether there was room for them.
    /// - Throws: `DatabaseError`. With `SQLITE_FULL` nothing was written that is read again.
    func append(_ batch: StoredBatch) throws -> Bool {
        let frame = JournalFrame.bytes(batch, after: end.seal)
        if frame.count > end.room {
            guard frame.count <= end.half, state.withLock({ $0.folded.index == end.index }) else { return false }
        }
        try put(frame, at: frame.count <= end.room ? end.offset : end.otherStart)
        state.withLock { $0.add(Waiting(batch: batch, end: end, size: frame.count)) }
        return true
    }

    /// The first of those that wait are in the database, durably, and so is the position behind them.
    func folded(_ count: Int) {
        state.withLock { state in
            guard count > 0 else { return }
            state.folded = state.waiting[count - 1].end
            state.size -= state.waiting.prefix(count).reduce(0) { $0 + $1.size }
            state.waiting.removeFirst(count)
            state.offered = 0
        }
    }

    /// Begins the other half, when nothing waits. The database must store `end` next.
    ///
    /// - Throws: `DatabaseError`.
    func turn() throws {
        // It was begun before, and could not be stored.
        guard state.withLock({ $0.folded.index == end.index }) else { return }
        try put(JournalFrame.bytes(nil, after: end.seal), at: end.otherStart)
    }

    /// Overwrites all records.
    ///
    /// - Parameter stored: what the database has stored: the `end` that `turn` led to.
    /// - Throws: `DatabaseError`; `StorageError` if records came meanwhile, which stay.
    func wipe(behind stored: JournalPosition) throws {
        let isQuiet = state.withLock { state in
            guard end == stored, state.waiting.isEmpty else { return false }
            state.folded = stored
            return true
        }
        guard isQuiet else {
            throw StorageError(
                code: .inputOutput, message: "A record was appended while the consent log's journal was overwritten.")
        }
        try file.zero(end.offset..<end.offset + end.room)
        try file.zero(end.otherStart..<end.otherStart + end.half)
        try file.sync()
    }

    private static func isLost(_ path: String) -> StorageError {
        StorageError(
            code: .logLost,
            message: "\(path) is not there, or not the file that the database beside it was last written with, so "
                + "records may be lost. Restore both from one backup.")
    }

    private func put(_ frame: [UInt8], at offset: Int) throws {
        try frame.withUnsafeBytes { try file.write($0, at: offset) }
        try file.sync()
        end = JournalPosition(half: end.half, behind: frame, at: offset)
    }
}

/// The end of a frame in a journal, known by the frame's seal.
struct JournalPosition: Sendable, Equatable {
    private static let halves = 4096...1 << 26

    /// Bytes of a half of the file.
    let half: Int
    /// In the file.
    let offset: Int
    let seal: [UInt8]

    init(half: Int, behind frame: [UInt8], at offset: Int) {
        self.half = half
        self.offset = offset + frame.count
        seal = Array(frame.suffix(JournalFrame.sealSize))
    }

    /// Size of a half and offset, 8 bytes each, little endian, and the seal.
    var bytes: Data {
        Data([half, offset].flatMap { withUnsafeBytes(of: UInt64($0).littleEndian, Array.init) } + seal)
    }

    /// - Returns: `nil` if the bytes are no position.
    init?(bytes: Data) {
        guard bytes.count == 16 + JournalFrame.sealSize else { return nil }
        let numbers = [bytes.prefix(8), bytes.dropFirst(8).prefix(8)].map { number in
            Int(clamping: number.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        (half, offset, seal) = (numbers[0], numbers[1], Array(bytes.suffix(JournalFrame.sealSize)))
        guard Self.halves.contains(half), offset > 0, offset <= 2 * half, offset - start >= JournalFrame.leastSize
        else {
            return nil
        }
    }

    /// Of the half, 0 or 1.
    var index: Int { (offset - 1) / half }
    private var start: Int { index * half }
    var otherStart: Int { half - start }
    /// Bytes up to the end of the half.
    var room: Int { start + half - offset }

    func isBehindFrame(in bytes: [UInt8]) -> Bool {
        bytes[..<offset].suffix(JournalFrame.sealSize).elementsEqual(seal)
    }

    /// - Parameter mayTurn: whether the next frame may be the first one of the other half.
    func nextFrame(in bytes: [UInt8], mayTurn: Bool) -> ArraySlice<UInt8>? {
        JournalFrame.next(in: bytes[offset..<offset + room], after: seal)
            ?? (mayTurn ? JournalFrame.next(in: bytes[otherStart..<otherStart + half], after: seal) : nil)
    }
}
