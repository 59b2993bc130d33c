import Consent
import FleetDatabase
import FleetModel
import Foundation
import Hummingbird
import NIOCore

/// Takes an upload of records (https://c2sp.org/tlog-mirror, `add-entries`, and ours with disclosures): reads it package by
/// package, verifies each package against the checkpoint that the upload ends at, and stores what is verified. What is
/// answered is durable.
struct UploadReceiver: Sendable {
    /// Records that an upload may repeat because an answer was lost.
    static let mostRepeated: UInt64 = 8192

    let store: FleetStore
    let mirror: NoteSigner
    let host: FleetHost
    let form: UploadForm
    let counters: Counters
    let memory: UploadMemory

    /// - Parameter isCompressed: whether the body is gzip.
    /// - Returns: 200 with the mirror's cosignature, or 202 with where the upload goes on.
    /// - Throws: `Refusal`, `DatabaseError`.
    func receive(_ body: RequestBody, isCompressed: Bool) async throws -> Response {
        var decoder = UploadDecoder(form)
        var upload: Upload?
        var account = UploadMemory.Account(memory)
        // Since the last whole package.
        var received = 0
        do {
            let gzip = isCompressed ? try GzipReader() : nil
            for try await buffer in body {
                gzip?.feed(buffer.readableBytesView)
                var piece = gzip == nil ? Array(buffer.readableBytesView) : try gzip?.next()
                while let bytes = piece {
                    received += bytes.count
                    try account.set(received + (upload?.keptBytes ?? 0))
                    for element in try decoder.read(bytes) {
                        switch element {
                        case .head(let head): upload = try await begin(head)
                        case .package(let package):
                            received = 0
                            try await upload?.take(package)
                        }
                    }
                    piece = try gzip?.next()
                }
            }
        } catch let error as UploadDecoder.Problem {
            // Records that were verified before it count.
            guard try await upload?.storeRest() == true else {
                throw Refusal.malformed("The body is not an upload: \(error).")
            }
        } catch is GzipReader.Problem {
            guard try await upload?.storeRest() == true else { throw Refusal.malformed("The body is not gzip.") }
        } catch let error as ReceivedRecord.Problem {
            try await upload?.storeRest()
            throw Refusal(.unprocessableContent, "A record cannot be accepted: \(error).")
        } catch let error as Upload.Unproven {
            try await upload?.storeRest()
            throw Refusal(.unprocessableContent, "The records from \(error.start) on are not those of the checkpoint.")
        } catch let error as ChannelError {
            // The connection is gone: no answer is read, but the next upload begins behind what is stored.
            try await upload?.storeRest()
            throw error
        }
        guard var upload else { throw Refusal.malformed("The body ends in the head of the upload.") }
        return try await finish(&upload)
    }

    private func finish(_ upload: inout Upload) async throws -> Response {
        counters.uploads.add(1, ordering: .relaxed)
        guard upload.isWhole else {
            try await upload.storeRest()
            guard upload.hasPackage else { throw Refusal.malformed("The first package is not complete.") }
            let info = MirrorInfo(size: upload.end, next: upload.next)
            return Response(status: .accepted, type: MirrorInfo.mediaType, info.text)
        }
        return Response(type: "text/plain; charset=utf-8", try await upload.conclude())
    }

    private func begin(_ head: UploadHead) async throws -> Upload {
        guard head.origin == host.origin else { throw Refusal.unknownLog }
        guard host.pendingSize > 0 || head.range.isEmpty else {
            throw Refusal(.unprocessableContent, "No checkpoint of the log was accepted yet.")
        }
        let conflict = Refusal.uploadConflict(end: host.pendingSize, next: host.nextEntry)
        let (start, end) = (head.range.lowerBound, head.range.upperBound)
        guard end >= host.mirrorSize, start <= host.nextEntry,
            let (checkpoint, note) = try await store.checkpoint(of: host, size: end)
        else { throw conflict }
        let repeated = min(end, host.nextEntry) - start
        guard repeated <= Self.mostRepeated else { throw Refusal.uploadConflict(end: end, next: host.nextEntry) }
        guard let preceding = try await store.preceding(start, of: host) else { throw conflict }
        let next = max(start, min(host.nextEntry, end))
        return Upload(
            receiver: self, checkpoint: checkpoint, note: note, preceding: preceding,
            batch: RecordBatch(of: host, start: next), next: next)
    }
}

/// An upload under way.
private struct Upload {
    /// The package that begins here is not proven.
    struct Unproven: Error {
        let start: UInt64
    }

    let receiver: UploadReceiver
    let checkpoint: TreeHead
    let note: SignedNote
    /// The tree of the leaves from the last multiple of 256 to the next package.
    var preceding: Frontier
    var batch: RecordBatch
    /// Records that are stored.
    var next: UInt64
    /// Whether a package was verified.
    var hasPackage = false

    var end: UInt64 { checkpoint.size }
    /// Whether all records up to the end are verified.
    var isWhole: Bool { batch.end >= end }
    /// Of verified records that are not stored yet.
    var keptBytes: Int { batch.size }

    /// - Throws: `Unproven`, `ReceivedRecord.Problem`, `Refusal`, `DatabaseError`.
    mutating func take(_ package: EntryPackage) async throws {
        guard let tree = package.tree(after: preceding, provenIn: checkpoint) else {
            throw Unproven(start: package.range.lowerBound)
        }
        preceding = tree.sinceAlignment
        hasPackage = true
        // Those before were stored already.
        let new = package.entries.indices.filter { package.range.lowerBound + UInt64($0) >= batch.end }
        let records = try new.map { place in
            try ReceivedRecord(
                leaf: package.entries[place],
                disclosure: package.disclosures.isEmpty ? nil : package.disclosures[place],
                at: package.range.lowerBound + UInt64(place))
        }
        for (place, record) in zip(new, records) {
            batch.append(record, package.leafHashes[place])
            if batch.isFull { try await storeRest() }
        }
    }

    /// - Returns: whether a package of this upload is stored.
    @discardableResult
    mutating func storeRest() async throws -> Bool {
        if !batch.isEmpty { try await store(reaching: nil) }
        return hasPackage
    }

    /// Stores the rest, with the mirror's checkpoint at the upload's end.
    ///
    /// - Returns: the mirror's cosignature, as a line of a note.
    mutating func conclude() async throws -> String {
        let cosignature = try receiver.mirror.cosign(note.text, at: UInt64(Date().timeIntervalSince1970))
        guard let cosigned = note.adding(cosignature) else {
            throw Refusal(.unprocessableContent, "The checkpoint has too many signatures.")
        }
        try await store(reaching: (end, cosigned))
        return cosignature.line
    }

    private mutating func store(reaching reached: (size: UInt64, note: SignedNote)?) async throws {
        switch try await receiver.store.store(batch, reaching: reached) {
        case .stored:
            receiver.counters.records.add(Int(batch.end - batch.start), ordering: .relaxed)
            next = max(next, batch.end)
        case .moved(let entry): throw Refusal.uploadConflict(end: end, next: entry)
        case .revoked: throw Refusal.unauthorized
        case .overQuota: throw Refusal.overQuota
        }
        batch = RecordBatch(of: receiver.host, start: next)
    }
}
