import Foundation

extension ConsentLog {
    /// Deletes the fields of all records that the scope admits, but for those that something in force stands on, and
    /// writes that down in the same transaction. The records' leaves stay, and with them every root and every proof.
    ///
    /// When it returns, the bytes are gone from the storage, its write-ahead log and its free pages.
    ///
    /// - Parameters:
    ///   - size: only records before this place; `nil`: all.
    ///   - running: sessions that go on; those that began before the place, and have not ended.
    ///   - rehearsing: only says what would be erased.
    /// - Throws: `ConsentError`; then nothing was erased, or the log has stopped.
    public nonisolated func erase(
        _ scope: ErasureScope, upTo size: UInt64? = nil, running: Set<String> = [], rehearsing: Bool = false
    ) async throws -> ErasureResult {
        // What was in force before the reading began is exempt; what comes later is not read.
        var exemptions = ErasureExemptions(
            decisions: try await storage.decisions(), monitors: try await monitors(), sessions: running)
        let head = await head.size
        let size = min(size ?? head, head)
        var erased: [Int64] = []
        var kept: [ErasureExemption: Int] = [:]
        var start: UInt64 = 0
        while start < size {
            let end = min(start + UInt64(EntryPage.size), size)
            for stored in try await storage.records(in: Int64(clamping: start)..<Int64(clamping: end)) {
                let record = try Self.opened(stored)
                guard !record.isErased else { continue }
                guard scope.admits(record) else {
                    exemptions.stays(record)
                    continue
                }
                if let exemption = exemptions.exemption(of: record) {
                    exemptions.stays(record)
                    kept[exemption, default: 0] += 1
                } else {
                    erased.append(stored.index)
                }
            }
            start = end
        }
        guard !rehearsing, !erased.isEmpty else {
            return ErasureResult(erased: erased.count, kept: kept, record: nil)
        }
        // Names no program: what was forgotten must not be told by the record that it was. That it was asked for, by whom
        // and about which program, is a record of its own, which stays.
        let records = try ErasedRecords.json(erased).map { ranges throws(ConsentError) in
            try PreparedRecord(
                RecordContent(
                    kind: .dataErased, fields: ["records": ranges, "reason": .string("requested")]))
        }
        let record = try await append(records, erasing: erased)
        return ErasureResult(erased: erased.count, kept: kept, record: record)
    }
}
