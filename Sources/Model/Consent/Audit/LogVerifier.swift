import Authorization
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
    /// Some complete subtrees of stored nodes.
    private static let verifiedPageSize = Int64(16 << TreeNode.spacing)

    /// Reads and hashes the whole log on all processors and finds the first problem. Appends continue meanwhile.
    ///
    /// - Parameter gently: on one processor, and half of the time.
    public nonisolated func verify(gently: Bool = false) async throws -> VerificationReport {
        try await verifier(followingSessions: false, gently: gently).report
    }

    /// The same, with which sessions have a start and no end, in the order of their starts (erased fields are not found), and
    /// the stored decisions that were compared with the records; none of an altered log.
    public nonisolated func verifyAtStart() async throws -> (
        VerificationReport, openSessions: [String], decisions: [Decision]
    ) {
        let verifier = try await verifier(followingSessions: true)
        return (verifier.report, verifier.openSessions, try Self.opened(verifier.comparedDecisions))
    }

    private nonisolated func verifier(followingSessions: Bool, gently: Bool = false) async throws -> LogVerifier {
        var verifier = LogVerifier()
        var examinations: [Task<(PageExamination, StoredEnd?), any Error>] = []
        defer { for examination in examinations { examination.cancel() } }
        let mostAtOnce = gently ? 1 : ProcessInfo.processInfo.activeProcessorCount + 1
        let size = try await storage.summary().indexes.map { max($0.upperBound, 0) } ?? 0
        // The last page is read with the log's end as of the same moment, and so after all others.
        let last = size / Self.verifiedPageSize * Self.verifiedPageSize
        var first: Int64 = 0
        func examine(upTo end: Int64) -> Task<(PageExamination, StoredEnd?), any Error> {
            let page = PageExamination(first: first, followsSessions: followingSessions)
            // Before the first page: an altered log may have records there.
            let range = (first == 0 ? Int64.min : first)..<end
            return Task { [storage] in try await storage.scan(range, into: page) { $0.take($1) } }
        }
        while first < last, !verifier.foundProblem {
            try Task.checkCancellation()
            examinations.append(examine(upTo: first + Self.verifiedPageSize))
            first += Self.verifiedPageSize
            if examinations.count >= mostAtOnce {
                let began = ContinuousClock.now
                verifier.take(try await result(of: examinations[0]).0, expecting: Self.verifiedPageSize)
                examinations.removeFirst()
                if gently { try await Task.sleep(for: began.duration(to: .now)) }
            }
        }
        for examination in examinations where !verifier.foundProblem {
            verifier.take(try await result(of: examination).0, expecting: Self.verifiedPageSize)
        }
        guard !verifier.foundProblem else { return verifier }
        let (page, end) = try await result(of: examine(upTo: .max))
        verifier.take(page)
        if let end, !verifier.foundProblem { verifier.check(end) }
        return verifier
    }

    /// Cancels the examination when this task is cancelled.
    private nonisolated func result<Value>(of examination: Task<Value, any Error>) async throws -> Value {
        try await withTaskCancellationHandler {
            try await examination.value
        } onCancel: {
            examination.cancel()
        }
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
    private var sessions = SessionReplay()
    private var problem: RecordProblem?
    /// The stored decisions, once they were found to be those that the records made.
    private(set) var comparedDecisions: [StoredDecision] = []

    var foundProblem: Bool { problem != nil }

    /// Sessions with a start and no end, in the order of their starts.
    var openSessions: [String] { sessions.open }

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
    ///
    /// - Parameter count: records that the page must have; `nil`: it is the last one.
    mutating func take(_ page: PageExamination, expecting count: Int64? = nil) {
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
            sessions.append(page.sessions)
            if let problem = page.problem { throw problem }
            if let count, page.leafHashes.count < count {
                throw RecordProblem(
                    .recordMissing, Int64(clamping: tree.size), "it is missing, but later ones are there")
            }
        } catch {
            problem = error
        }
    }

    mutating func check(_ end: StoredEnd) {
        // A page may have been read before the erasure that a later one reports.
        decisions.forget(erased)
        do throws(RecordProblem) { try compare(end) } catch { problem = error }
    }

    private mutating func compare(_ end: StoredEnd) throws(RecordProblem) {
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
        comparedDecisions = end.decisions
    }
}

/// Rebuilds the stored decisions from the records that changed them.
private struct DecisionReplay {
    private var entries: [StoredDecision.Key: (decision: StoredDecision?, index: Int64)] = [:]

    /// Skips a record whose change was erased: the record of a decision in force is never erased.
    mutating func apply(_ record: ConsentRecord) throws(RecordProblem) {
        let index = Int64(clamping: record.index)
        guard record.json(of: .change) != nil else { return }
        guard let change = record[.change] else {
            throw RecordProblem(.decisionWrong, index, "its change of the decisions cannot be read")
        }
        entries[change.key] = (change.made(by: index).decision, index)
    }

    mutating func forget(_ erased: IndexSet) { entries = entries.filter { !erased.contains(Int($0.value.index)) } }

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
