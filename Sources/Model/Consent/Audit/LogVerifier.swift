import Foundation

/// The result of reading the whole log.
public struct VerificationReport: Sendable, Hashable, Codable {
    /// Valid records, counted from the first; all of them if there is no problem.
    public let records: UInt64
    /// base64 of the tree's root over those records.
    public let root: String
    /// Records whose fields were erased, with a record of it.
    public let erasedRecords: Int
    /// The first problem found.
    public let problem: RecordProblem?

    public var isIntact: Bool { problem == nil }
}

/// The first place where the stored log is not valid.
public struct RecordProblem: Error, Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable {
        case recordMissing
        case recordUnexpected
        case leafAltered
        case indexWrong
        case disclosureAltered
        case disclosureMissing
        case treeHeadWrong
        case decisionWrong
    }

    public let kind: Kind
    /// The invalid record; `nil` if no record is at fault.
    public let index: Int64?
    /// "its leaf …"
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

extension ConsentLog {
    /// A few complete subtrees of stored nodes.
    private static let verifiedPageSize = 4 << TreeNode.spacing

    /// Reads and hashes the whole log on all processors and finds the first problem. Appends continue meanwhile.
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

/// Verifies a log from its first record, page by page. Keeps O(log n) of the tree.
struct LogVerifier {
    private var tree = Frontier()
    private var nodes: [TreeNode] = []
    private var decisions = DecisionReplay()
    /// Records without fields.
    private var incomplete = IndexSet()
    private var erased = IndexSet()
    private var problem: RecordProblem?

    var foundProblem: Bool { problem != nil }

    /// Valid after the last page or the first problem.
    var report: VerificationReport {
        let unexplained = incomplete.subtracting(erased).first.map {
            RecordProblem(.disclosureMissing, Int64($0), "its fields are missing and no record reports their erasure")
        }
        return VerificationReport(
            records: unexplained?.index.map(UInt64.init) ?? tree.size, root: tree.root.base64,
            erasedRecords: incomplete.intersection(erased).count, problem: unexplained ?? problem)
    }

    /// Takes the pages' examinations in order.
    mutating func take(_ page: PageExamination) {
        do throws(RecordProblem) {
            for subtree in page.subtrees { nodes += tree.append(subtree, level: TreeNode.spacing) }
            for hash in page.leafHashes.dropFirst(page.subtrees.count << TreeNode.spacing) {
                nodes += tree.append(hash, level: 0)
            }
            for index in page.missing { incomplete.insert(Int(index)) }
            for record in page.references {
                for range in record.erasedRecords { erased.insert(integersIn: range) }
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

    private func compare(_ end: StoredEnd) throws(RecordProblem) {
        let size = Int64(clamping: tree.size)
        guard let stored = end.tree else {
            throw RecordProblem(.treeHeadWrong, nil, "the head of its tree is missing")
        }
        if stored.size > size {
            throw RecordProblem(.recordMissing, size, "the head of the tree counts \(stored.size) records")
        }
        if stored.size < size {
            throw RecordProblem(
                .recordUnexpected, max(stored.size, 0), "the head of the tree counts \(stored.size) records")
        }
        guard stored == StoredTree(tree) else {
            throw RecordProblem(.treeHeadWrong, nil, "the head of its tree does not match its records")
        }
        guard end.nodes == nodes.sorted(by: { ($0.level, $0.position) < ($1.level, $1.position) }) else {
            throw RecordProblem(.treeHeadWrong, nil, "a stored node of its tree does not match its records")
        }
        try decisions.compare(with: end.decisions)
    }
}

/// What consecutive records show without those before them, so that pages are examined in parallel.
struct PageExamination: Sendable {
    /// Index of the first record.
    private let first: Int64
    /// Of the valid records, in order.
    private(set) var leafHashes: [MerkleHash] = []
    /// Roots of the records' complete subtrees of `TreeNode.spacing` levels, if the page begins with one.
    private(set) var subtrees: [MerkleHash] = []
    /// Records without their disclosure.
    private(set) var missing: [Int64] = []
    /// Records that change a decision or report an erasure.
    private(set) var references: [ConsentRecord] = []
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
            if Self.refersToOthers(stored.kind, disclosed) { record = try ConsentRecord(stored) }
        } else {
            record = try ConsentRecord(stored)
        }
        guard (stored.kind == RecordKind.genesis.rawValue) == (expected == 0) else {
            throw RecordProblem(.leafAltered, expected, "a log begins with its only \(RecordKind.genesis.rawValue)")
        }
        if let record {
            if record.isErased { missing.append(expected) } else { references.append(record) }
        }
        leafHashes.append(.leaf(stored.leaf))
    }

    private static let change = Array(#""change""#.utf8)

    private static func refersToOthers(_ kind: String, _ disclosure: Data) -> Bool {
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
private struct DecisionReplay {
    private var entries: [StoredDecision.Key: (decision: StoredDecision?, index: Int64)] = [:]

    /// Skips a record whose change was erased: the record of a decision in force is never erased.
    mutating func apply(_ record: ConsentRecord) throws(RecordProblem) {
        let index = Int64(clamping: record.index)
        guard let json = record.fields["change"] else { return }
        guard let change = StoredChange(json: json) else {
            throw RecordProblem(.decisionWrong, index, "its change of the decisions cannot be read")
        }
        switch change.made(by: index) {
        case .store(let decision): entries[decision.key] = (decision, index)
        case .remove(let key): entries[key] = (nil, index)
        }
    }

    func compare(with stored: [StoredDecision]) throws(RecordProblem) {
        let byKey = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        // In the order of the records, so that the first problem is reported.
        for (key, entry) in entries.sorted(by: { $0.value.index < $1.value.index })
        where entry.decision != byKey[key] {
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
