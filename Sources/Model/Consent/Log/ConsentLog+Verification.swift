import Foundation

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
