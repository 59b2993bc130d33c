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
