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
            let page = try await storage.records(of: [], before: before, limit: Self.pageSize)
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
        let last = try await storage.records(of: kinds.map(\.rawValue), before: nil, limit: 1).last
        return try last.map { AuditRecord(try Self.opened($0)) }
    }

    /// The records of the kinds, oldest first.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    func records(of kinds: [RecordKind]) async throws -> [ConsentRecord] {
        try await storage.records(of: kinds.map(\.rawValue), before: nil, limit: .max).map(Self.opened)
    }

    /// Tells the records of the kinds, oldest first, a page at a time: there may be millions.
    ///
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    func forEachRecord(of kinds: Set<RecordKind>, _ body: (ConsentRecord) throws -> Void) async throws {
        let size = Int64(clamping: tree.size)
        for start in stride(from: 0, to: size, by: Int64.Stride(Self.pageSize)) {
            let page = try await storage.records(in: start..<min(start + Int64(Self.pageSize), size))
            for stored in page where kinds.contains(RecordKind(rawValue: stored.kind)) {
                try body(try Self.opened(stored))
            }
        }
    }

    static func opened(_ stored: StoredRecord) throws -> ConsentRecord {
        do throws(RecordProblem) {
            return try ConsentRecord(stored)
        } catch {
            throw ConsentError(
                code: .corrupt, message: "\(error.message) Run `voicegate audit verify` to check the whole log.")
        }
    }
}
