/// Reads a log from its first record on and says what does not fit. Fed by pages; keeps O(log n) of the tree.
struct LogVerifier {
    private var tree = Frontier()
    private var decisions = DecisionReplay()
    private var disclosureCount = 0
    /// Records that lack fields, with how many, in order.
    private var incomplete: [(index: Int64, fields: Int)] = []
    private var erased: Set<Int64> = []
    private var problem: RecordProblem?

    var foundProblem: Bool { problem != nil }

    mutating func check(_ page: StoredPage) {
        do throws(RecordProblem) {
            for record in page.records { try check(record) }
            if let end = page.end { try check(end) }
        } catch {
            problem = error
        }
    }

    /// The result; to be asked after the last page or the first problem.
    var report: VerificationReport {
        let unexplained = incomplete.first { !erased.contains($0.index) }.map {
            RecordProblem(.disclosureMissing, $0.index, "\($0.fields) of its fields are gone and no record says so")
        }
        let erasedFields = incomplete.filter { erased.contains($0.index) }.reduce(0) { $0 + $1.fields }
        return VerificationReport(
            records: unexplained?.index.map(UInt64.init) ?? tree.size, root: tree.root.base64,
            erasedFields: erasedFields, problem: unexplained ?? problem)
    }

    private mutating func check(_ stored: StoredRecord) throws(RecordProblem) {
        let expected = Int64(clamping: tree.size)
        if stored.index < expected {
            throw RecordProblem(.recordUnexpected, stored.index, "a log has no such place")
        }
        if stored.index > expected {
            throw RecordProblem(.recordMissing, expected, "it is not there, but record \(stored.index) is")
        }
        let record = try ConsentRecord(stored)
        guard record.previous == tree.root else {
            throw RecordProblem(.linkWrong, expected, "it does not follow from the records before it")
        }
        guard (record.kind == .genesis) == (expected == 0) else {
            throw RecordProblem(.leafAltered, expected, "a log begins with its only \(RecordKind.genesis.rawValue)")
        }
        disclosureCount += stored.disclosures.count
        if record.missingFields > 0 { incomplete.append((expected, record.missingFields)) }
        if record.kind == .dataErased {
            erased.formUnion(record.fields["records"]?.array?.compactMap(\.integer) ?? [])
        }
        try decisions.apply(record)
        tree.append(leaf: stored.leaf)
    }

    private func check(_ end: StoredEnd) throws(RecordProblem) {
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
        guard end.disclosureCount == disclosureCount else {
            throw RecordProblem(.disclosureUnexpected, nil, "there are fields that belong to no record")
        }
        try decisions.compare(with: end.decisions)
    }
}
