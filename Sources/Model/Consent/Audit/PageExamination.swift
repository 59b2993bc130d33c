import Foundation

/// What consecutive records show without those before them, so that pages are examined in parallel.
struct PageExamination: Sendable {
    /// Index of the first record.
    private let first: Int64
    private let followsSessions: Bool
    /// Of the valid records, in order.
    private(set) var leafHashes: [MerkleHash] = []
    /// Roots of the records' complete subtrees of `TreeNode.spacing` levels, if the page begins with one.
    private(set) var subtrees: [MerkleHash] = []
    /// Records without their disclosure.
    private(set) var missing: [Int64] = []
    /// Records that change a decision or report an erasure.
    private(set) var references: [ConsentRecord] = []
    private(set) var sessions = SessionReplay()
    private(set) var problem: RecordProblem?

    init(first: Int64, followsSessions: Bool) {
        self.first = first
        self.followsSessions = followsSessions
    }

    /// - Returns: whether the next record is of interest.
    mutating func take(_ record: RecordBytes) -> Bool {
        do throws(RecordProblem) {
            try examine(record)
            return true
        } catch {
            problem = error
            return false
        }
    }

    private mutating func examine(_ stored: RecordBytes) throws(RecordProblem) {
        let expected = first + Int64(leafHashes.count)
        if stored.index < expected {
            throw RecordProblem(.recordUnexpected, stored.index, "a log has no such index")
        }
        if stored.index > expected {
            throw RecordProblem(.recordMissing, expected, "it is missing, but record \(stored.index) is there")
        }
        // Matching bytes are what was written; few records refer to others and need to be parsed.
        var record: ConsentRecord?
        if let disclosed = stored.disclosed,
            RecordLeaf.isLeaf(stored.leaf, index: expected, kind: stored.kind, disclosure: disclosed)
        {
            if refersToOthers(stored.kind, disclosed) { record = try ConsentRecord(stored.record) }
        } else {
            record = try ConsentRecord(stored.record)
        }
        guard stored.kind.equals(Self.genesis) == (expected == 0) else {
            throw RecordProblem(.leafAltered, expected, "a log begins with its only \(RecordKind.genesis.rawValue)")
        }
        if let record {
            if record.isErased { missing.append(expected) } else { references.append(record) }
            if followsSessions { sessions.apply(record) }
        }
        leafHashes.append(.leaf(stored.leaf))
        let width = 1 << TreeNode.spacing
        if leafHashes.count.isMultiple(of: width), first.isMultiple(of: Int64(width)) {
            subtrees.append(.root(ofComplete: leafHashes.suffix(width)))
        }
    }

    private static let genesis = Array(RecordKind.genesis.rawValue.utf8)
    private static let erased = Array(RecordKind.dataErased.rawValue.utf8)
    private static let change = Array(#""change""#.utf8)

    private mutating func refersToOthers(
        _ kind: UnsafeRawBufferPointer, _ disclosure: UnsafeRawBufferPointer
    ) -> Bool {
        if disclosure.value(of: Self.change) != nil || kind.equals(Self.erased) { return true }
        return followsSessions && !sessions.apply(kind, disclosure, at: first + Int64(leafHashes.count))
    }
}

/// Which sessions have a start and no end, from consecutive records.
struct SessionReplay: Sendable {
    private static let started = Array(RecordKind.sessionStarted.rawValue.utf8)
    private static let stopped = Array(RecordKind.sessionStopped.rawValue.utf8)
    private static let recovery = Array(RecordKind.recovery.rawValue.utf8)
    private static let session = Array(#""session""#.utf8)

    /// Indexes of the starts, by session.
    private var starts: [String: Int64] = [:]
    /// Sessions that ended, with a start before these records.
    private var ends: Set<String> = []

    /// In the order of their starts.
    var open: [String] { starts.sorted { $0.value < $1.value }.map(\.key) }

    /// Takes a record as it is stored.
    ///
    /// - Returns: whether that sufficed; otherwise the record must be parsed.
    mutating func apply(_ kind: UnsafeRawBufferPointer, _ disclosure: UnsafeRawBufferPointer, at index: Int64) -> Bool {
        let isStart = kind.equals(Self.started)
        guard isStart || kind.equals(Self.stopped) else { return !kind.equals(Self.recovery) }
        guard let value = disclosure.value(of: Self.session) else { return true }
        let name = value.dropFirst()
        guard value.first == UInt8(ascii: "\""), let end = name.firstIndex(of: UInt8(ascii: "\"")),
            !name[..<end].contains(UInt8(ascii: "\\"))
        else { return false }
        let session = String(decoding: name[..<end], as: UTF8.self)
        if isStart { starts[session] = index } else { stop(session) }
        return true
    }

    /// The same for a record that was parsed.
    mutating func apply(_ record: ConsentRecord) {
        switch record.kind {
        case .sessionStarted:
            if let session = record[.session] { starts[session] = Int64(clamping: record.index) }
        case .sessionStopped: record[.session].map { stop($0) }
        case .recovery: for session in record[.sessions] ?? [] { stop(session) }
        default: break
        }
    }

    /// Takes the records after these.
    mutating func append(_ later: SessionReplay) {
        for session in later.ends { stop(session) }
        starts.merge(later.starts) { $1 }
    }

    private mutating func stop(_ session: String) {
        if starts.removeValue(forKey: session) == nil { ends.insert(session) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ bytes: [UInt8]) -> Bool {
        guard let start = baseAddress, count == bytes.count else { return false }
        return memcmp(start, bytes, count) == 0
    }

    /// What follows the first `name:` in JSON; `nil` if there is no such field. No text can contain one: its quotes would be
    /// escaped.
    fileprivate func value(of name: [UInt8]) -> UnsafeRawBufferPointer? {
        guard let start = baseAddress else { return nil }
        var place = 0
        while place < count, let colon = memchr(start + place, Int32(UInt8(ascii: ":")), count - place) {
            place = UnsafeRawPointer(colon) - start
            if place >= name.count, memcmp(start + place - name.count, name, name.count) == 0 {
                return UnsafeRawBufferPointer(rebasing: self[(place + 1)...])
            }
            place += 1
        }
        return nil
    }
}
