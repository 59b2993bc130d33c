import Foundation

/// Reads a log from its first record on and says what does not fit. Fed by pages; keeps O(log n) of the tree.
struct LogVerifier {
    private var tree = Frontier()
    private var nodes: [TreeNode] = []
    private var decisions = DecisionReplay()
    /// Records that lack fields.
    private var incomplete = IndexSet()
    private var erased = IndexSet()
    private var problem: RecordProblem?

    var foundProblem: Bool { problem != nil }

    /// The result; to be asked after the last page or the first problem.
    var report: VerificationReport {
        let unexplained = incomplete.subtracting(erased).first.map {
            RecordProblem(.disclosureMissing, Int64($0), "its fields are gone and no record says so")
        }
        return VerificationReport(
            records: unexplained?.index.map(UInt64.init) ?? tree.size, root: tree.root.base64,
            erasedRecords: incomplete.intersection(erased).count, problem: unexplained ?? problem)
    }

    mutating func check(_ page: StoredPage) {
        take(PageExamination(page.records, first: Int64(clamping: tree.size)))
        if let end = page.end, problem == nil { check(end) }
    }

    /// The pages' examinations in order.
    mutating func take(_ page: PageExamination) {
        do throws(RecordProblem) {
            if page.problem == nil, page.previous.isEmpty {
                appendWhole(page)
            } else {
                try appendSingly(page)
            }
            for place in page.missing { incomplete.insert(Int(place)) }
            for record in page.telling {
                if record.kind == .dataErased { noteErasure(record) }
                try decisions.apply(record)
            }
            if let problem = page.problem { throw problem }
        } catch {
            problem = error
        }
    }

    mutating func check(_ end: StoredEnd) {
        do throws(RecordProblem) { try compare(end) } catch { problem = error }
    }

    private mutating func appendWhole(_ page: PageExamination) {
        for subtree in page.subtrees { nodes += tree.append(subtree, level: TreeNode.spacing) }
        for hash in page.leafHashes.dropFirst(page.subtrees.count << TreeNode.spacing) {
            nodes += tree.append(hash, level: 0)
        }
    }

    private mutating func appendSingly(_ page: PageExamination) throws(RecordProblem) {
        for (place, hash) in page.leafHashes.enumerated() {
            if let previous = page.previous[place], previous != tree.root {
                throw RecordProblem(
                    .linkWrong, Int64(clamping: tree.size), "it does not follow from the records before it")
            }
            nodes += tree.append(hash, level: 0)
        }
    }

    private mutating func noteErasure(_ record: ConsentRecord) {
        for range in ErasedRecords.ranges(record.fields["records"]) { erased.insert(integersIn: range) }
    }

    private func compare(_ end: StoredEnd) throws(RecordProblem) {
        let size = Int64(clamping: tree.size)
        guard let stored = end.tree else {
            throw RecordProblem(.treeHeadWrong, nil, "the head of its tree is not there")
        }
        if stored.size > size {
            throw RecordProblem(.recordMissing, size, "the head of the tree counts \(stored.size) records")
        }
        if stored.size < size {
            throw RecordProblem(
                .recordUnexpected, max(stored.size, 0), "the head of the tree counts \(stored.size) records")
        }
        guard stored == StoredTree(tree) else {
            throw RecordProblem(.treeHeadWrong, nil, "the head of its tree is not the head of its records")
        }
        let expected = nodes.sorted { ($0.level, $0.position) < ($1.level, $1.position) }
        guard end.nodes == expected else {
            throw RecordProblem(.treeHeadWrong, nil, "a stored node of its tree is not the one of its records")
        }
        try decisions.compare(with: end.decisions)
    }
}

extension ConsentLog {
    /// A few complete subtrees of stored nodes.
    private static let verifiedPageSize = 4 << TreeNode.spacing

    /// Reads everything, hashes it on all processors, and names the first record that does not fit. Appending goes on
    /// meanwhile.
    public nonisolated func verify() async throws -> VerificationReport {
        var verifier = LogVerifier()
        var examinations: [Task<PageExamination, Never>] = []
        let mostAtOnce = ProcessInfo.processInfo.activeProcessorCount + 1
        var after: Int64?
        var first: Int64 = 0
        var end: StoredEnd?
        repeat {
            let page = try await storage.page(after: after, limit: Self.verifiedPageSize)
            let (records, start) = (page.records, first)
            examinations.append(Task { PageExamination(records, first: start) })
            first += Int64(records.count)
            after = records.last?.index
            end = page.end
            if examinations.count >= mostAtOnce { verifier.take(await examinations.removeFirst().value) }
        } while end == nil && !verifier.foundProblem
        for examination in examinations where !verifier.foundProblem { verifier.take(await examination.value) }
        if let end, !verifier.foundProblem { verifier.check(end) }
        return verifier.report
    }
}

/// What a full reading of the log found.
public struct VerificationReport: Sendable, Hashable, Codable {
    /// Records that fit, counted from the first; all of them when there is no problem.
    public let records: UInt64
    /// base64 of the tree's root over those records.
    public let root: String
    /// Records whose fields were erased, with a record of it.
    public let erasedRecords: Int
    /// The first thing that does not fit, or `nil` when all is well.
    public let problem: RecordProblem?

    public var isIntact: Bool { problem == nil }
}

/// A place where the stored log does not fit.
public struct RecordProblem: Error, Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable {
        case recordMissing
        case recordUnexpected
        case leafAltered
        case indexWrong
        /// The record's `previous` is not the root of the tree before it.
        case linkWrong
        case disclosureAltered
        case disclosureMissing
        case disclosureUnexpected
        case treeHeadWrong
        case decisionWrong
    }

    public let kind: Kind
    /// The record that does not fit; `nil` when it is none of the records.
    public let index: Int64?
    /// What is wrong with it: "its leaf does not have …".
    public let reason: String

    init(_ kind: Kind, _ index: Int64?, _ reason: String) {
        self.kind = kind
        self.index = index
        self.reason = reason
    }

    /// A sentence.
    public var message: String {
        if let index { "Record \(index) does not fit: \(reason)." } else { "The log does not fit: \(reason)." }
    }
}

/// What can be told of consecutive records without those before them, so that pages are examined side by side.
struct PageExamination: Sendable {
    /// Index of the first record.
    let first: Int64
    /// Of the records that fit, in order.
    private(set) var leafHashes: [MerkleHash] = []
    /// Roots of the records' complete subtrees of `TreeNode.spacing` levels; there when the page begins with one.
    private(set) var subtrees: [MerkleHash] = []
    /// By place in the page; records of schema 1 alone.
    private(set) var previous: [Int: MerkleHash] = [:]
    /// Records without their disclosures.
    private(set) var missing: [Int64] = []
    /// Records that say something about other records or about decisions.
    private(set) var telling: [ConsentRecord] = []
    private(set) var problem: RecordProblem?

    init(_ records: [StoredRecord], first: Int64) {
        self.first = first
        leafHashes.reserveCapacity(records.count)
        do throws(RecordProblem) {
            for record in records { try examine(record) }
        } catch {
            problem = error
        }
        let width = 1 << TreeNode.spacing
        guard first.isMultiple(of: Int64(width)) else { return }
        for start in stride(from: 0, through: leafHashes.count - width, by: width) {
            var subtree = Frontier()
            for hash in leafHashes[start..<(start + width)] { subtree.append(hash, level: 0) }
            subtrees.append(subtree.root)
        }
    }

    private mutating func examine(_ stored: StoredRecord) throws(RecordProblem) {
        let expected = first + Int64(leafHashes.count)
        if stored.index < expected {
            throw RecordProblem(.recordUnexpected, stored.index, "a log has no such place")
        }
        if stored.index > expected {
            throw RecordProblem(.recordMissing, expected, "it is not there, but record \(stored.index) is")
        }
        if let disclosed = stored.disclosed,
            RecordLeaf.isLeaf(stored.leaf, index: expected, kind: stored.kind, disclosure: disclosed),
            (stored.kind == RecordKind.genesis.rawValue) == (expected == 0)
        {
            if Self.tells(stored.kind, disclosed) { telling.append(try ConsentRecord(stored)) }
            leafHashes.append(.leaf(stored.leaf))
            return
        }
        try examineFully(stored, expected)
    }

    /// What is erased, of schema 1, or does not fit.
    private mutating func examineFully(_ stored: StoredRecord, _ expected: Int64) throws(RecordProblem) {
        guard let leaf = RecordLeaf(data: stored.leaf) else {
            throw RecordProblem(.leafAltered, expected, "its leaf is no record that this version can read")
        }
        guard leaf.index == expected else {
            throw RecordProblem(.indexWrong, expected, "its leaf was written for place \(leaf.index)")
        }
        guard leaf.kind.rawValue == stored.kind else {
            throw RecordProblem(.leafAltered, expected, "it is filed as another kind than its leaf names")
        }
        guard (leaf.kind == .genesis) == (expected == 0) else {
            throw RecordProblem(.leafAltered, expected, "a log begins with its only \(RecordKind.genesis.rawValue)")
        }
        let disclosures = stored.disclosures
        // What has the right digest is what was written; only what tells of other things is read.
        var open = leaf.digests
        for text in disclosures {
            let digest = Disclosure.digest(of: text)
            guard let place = open.firstIndex(of: digest) else {
                throw RecordProblem(.disclosureAltered, expected, "it has a field that its leaf does not vouch for")
            }
            open.remove(at: place)
        }
        if !open.isEmpty { missing.append(expected) }
        if leaf.previous != nil || disclosures.contains(where: { Self.tells(stored.kind, $0) }) {
            telling.append(try ConsentRecord(stored))
        }
        if let root = leaf.previous { previous[leafHashes.count] = root }
        leafHashes.append(.leaf(stored.leaf))
    }

    private static let change = Array(#""change""#.utf8)

    /// Whether the record says something of others or of a decision; most say neither, and are not read.
    private static func tells(_ kind: String, _ disclosure: Data) -> Bool {
        if kind == RecordKind.dataErased.rawValue { return true }
        return disclosure.withUnsafeBytes { text in
            text.indices.contains { place in
                text[place] == UInt8(ascii: ":") && place >= change.count
                    && text[(place - change.count)..<place].elementsEqual(change)
            }
        }
    }
}

/// Rebuilds the stored decisions from the records that changed them.
struct DecisionReplay {
    private struct Entry {
        let decision: StoredDecision?
        let index: Int64
        /// Decisions of schema 1 may be stored without the record that made them.
        let isOld: Bool

        func explains(_ stored: StoredDecision?) -> Bool {
            guard isOld, var decision, stored?.record == nil else { return decision == stored }
            decision.record = nil
            return decision == stored
        }
    }

    private var entries: [StoredDecision.Key: Entry] = [:]

    /// A record whose change was erased is passed over: what a decision in force stands on is never erased, and so every
    /// decision that is stored has its record.
    mutating func apply(_ record: ConsentRecord) throws(RecordProblem) {
        let index = Int64(clamping: record.index)
        guard let json = record.fields["change"] else { return }
        guard let change = StoredChange(json: json) else {
            throw RecordProblem(.decisionWrong, index, "its change of the decisions cannot be read")
        }
        let isOld = record.previous != nil
        switch change.made(by: index) {
        case .store(let decision): entries[decision.key] = Entry(decision: decision, index: index, isOld: isOld)
        case .remove(let key): entries[key] = Entry(decision: nil, index: index, isOld: isOld)
        }
    }

    func compare(with stored: [StoredDecision]) throws(RecordProblem) {
        let byKey = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        // In the order of the records, so that the first one is named.
        for (key, entry) in entries.sorted(by: { $0.value.index < $1.value.index })
        where !entry.explains(byKey[key]) {
            throw RecordProblem(
                .decisionWrong, entry.index,
                "the decision in force about \(key.resource) for \(key.client) is not the one it made")
        }
        if let stray = stored.first(where: { entries[$0.key] == nil }) {
            throw RecordProblem(
                .decisionWrong, nil,
                "a decision about \(stray.key.resource) for \(stray.key.client) is in force that no record made")
        }
    }
}
