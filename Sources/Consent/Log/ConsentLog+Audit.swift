import Foundation

extension ConsentLog {
    private static let pageSize = 256

    /// The records that the filter admits, oldest first.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func records(matching filter: AuditFilter = AuditFilter()) async throws -> [AuditRecord] {
        // Read from the end, because the limit keeps the last ones.
        var found: [AuditRecord] = []
        var before: Int64?
        let limit = filter.limit ?? .max
        while found.count < limit {
            let page = try await storage.records(before: before, limit: Self.pageSize)
            for stored in page.reversed() where found.count < limit {
                let record = try Self.opened(stored)
                if filter.admits(record) { found.append(AuditRecord(record)) }
            }
            guard let first = page.first, page.count == Self.pageSize else { break }
            before = first.index
        }
        return found.reversed()
    }

    /// The last record of one of the kinds, or `nil` when there is none.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public func lastRecord(of kinds: RecordKind...) async throws -> AuditRecord? {
        var before: Int64?
        while true {
            let page = try await storage.records(before: before, limit: Self.pageSize)
            for stored in page.reversed() {
                let record = try Self.opened(stored)
                if kinds.contains(record.kind) { return AuditRecord(record) }
            }
            guard let first = page.first, page.count == Self.pageSize else { return nil }
            before = first.index
        }
    }

    /// Reads everything and names the first record that does not fit. Appending goes on meanwhile.
    public func verify() async throws -> VerificationReport {
        var verifier = LogVerifier()
        var after: Int64?
        while !verifier.foundProblem {
            let page = try await storage.page(after: after, limit: Self.pageSize)
            verifier.check(page)
            guard page.end == nil, let last = page.records.last else { break }
            after = last.index
        }
        return verifier.report
    }

    private static func opened(_ stored: StoredRecord) throws -> ConsentRecord {
        do throws(RecordProblem) {
            return try ConsentRecord(stored)
        } catch {
            throw ConsentError(
                code: .corrupt, message: "\(error.message) Run `voicegate audit verify` to check the whole log.")
        }
    }
}
