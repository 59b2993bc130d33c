import Consent
import FleetModel
import Foundation
import LinuxSystem

/// What the auditor knows from elsewhere.
struct AuditorTrust: Sendable {
    /// Keys of logs; `nil`: the database's.
    var keys: [NoteVerifier]?
    /// Keys of the collector; `nil`: the database's.
    var collectorKeys: [NoteVerifier]?
    var held: [SignedNote] = []
}

/// The verified copy of one log, as `--json` prints it.
struct HostVerdict: Sendable, Encodable {
    let host: String
    let hostID: Int64
    /// The log's origin.
    let log: String
    /// Records that the machine's checkpoint proves, and records behind it.
    var records: UInt64 = 0
    var unsigned: UInt64 = 0
    /// base64
    var root = ""
    var erased = 0
    var withheld = 0
    var dropped = 0
    var signers: [String] = []
    var cosigners: [String] = []
    var heldSizes: [UInt64] = []
    /// Whether keys came from the database, whose administrator could have replaced them.
    var trustsOwnKeys = false
    var notChecked: [String] = []
    var problem: CopyProblem?
    /// Whether a held checkpoint is of another log.
    var contradicts = false

    init(_ host: ListedHost) { (self.host, hostID, log) = (host.host, host.id, host.origin) }

    /// The result first.
    var lines: [String] {
        if let problem { return ["\(host): does not verify. \(problem.message)"] }
        var parts = ["\(host): verified: \(records) records, root \(root)"]
        if unsigned > 0 { parts.append("\(unsigned) more are not signed yet") }
        if erased > 0 { parts.append("the fields of \(erased) were erased by the machine") }
        if withheld > 0 { parts.append("the fields of \(withheld) were not sent") }
        if dropped > 0 { parts.append("\(dropped) were dropped by retention, with a tombstone") }
        if let cosigner = cosigners.first { parts.append("cosigned by \(cosigner)") }
        parts += heldSizes.map { "continues your checkpoint of \($0) records" }
        return [parts.joined(separator: "; ")] + notChecked.map { "    Not checked: \($0)" }
    }
}

/// Recomputes the copy of one log: leaves from rows, the root from leaves, and the signatures over it.
struct HostCheck {
    let reader: FleetReader
    let trust: AuditorTrust

    func verdict(of host: ListedHost) async throws -> HostVerdict {
        var verdict = HostVerdict(host)
        do {
            try await reader.snapshot {
                // Of the same moment as the rows.
                let same = try await reader.hosts(HostFilter(hosts: ["\(host.id)"])).first { $0.id == host.id }
                guard let host = same else { return }
                try await check(host, &verdict)
            }
        } catch let problem as CopyProblem {
            verdict.problem = problem
        }
        return verdict
    }

    private func check(_ host: ListedHost, _ verdict: inout HostVerdict) async throws {
        guard let text = host.checkpoint, let note = SignedNote(Data(text.utf8)) else {
            guard host.checkpoint == nil else { throw CopyProblem(nil, "The stored checkpoint is not a signed note") }
            verdict.notChecked.append("anything: the machine has sent no checkpoint with all its records")
            return
        }
        let keys = (trust.keys ?? []).filter { $0.name == host.origin }
        let accepted = keys.isEmpty ? try await reader.keys(of: host) : keys
        verdict.trustsOwnKeys = keys.isEmpty
        guard let checkpoint = Checkpoint(note, signedBy: accepted), checkpoint.origin == host.origin else {
            throw CopyProblem(nil, "No key of the machine signed the stored checkpoint")
        }
        guard checkpoint.size == host.records else {
            throw CopyProblem(
                nil, "The checkpoint is of \(checkpoint.size) records, and the database says \(host.records)")
        }
        let signers = note.signers(among: accepted)
        verdict.signers = signers.map(\.text)
        try await checkRevocations(host, signers, &verdict)
        let collectorKeys =
            if let known = trust.collectorKeys { known } else { try await reader.collectorKeys() }
        verdict.cosigners = note.signers(among: collectorKeys.filter { $0.algorithm == .cosignature }).map(\.name)
        if verdict.cosigners.isEmpty { verdict.notChecked.append("a cosignature of the collector: there is none") }
        let tombstones = try await reader.tombstones(of: host).map { note in
            guard let tombstone = Tombstone(note, of: host.origin, signedBy: collectorKeys.map(\.signingKey)) else {
                throw CopyProblem(nil, "A tombstone is not signed by the collector's key, or is of another log")
            }
            return tombstone
        }
        let held = try heldHeads(host, accepted)
        var copy = CopyVerification(
            checkpoint, signers: signers, tombstones: tombstones,
            earlier: try await reader.earlierRoots(of: host, upTo: checkpoint.size), wanted: Set(held.map(\.size)))
        var start: UInt64 = 0
        while start < host.stored {
            let range = start..<min(start + FleetReader.pageSize, host.stored)
            try copy.take(
                try await reader.rows(of: host, range), of: range, tiles: try await reader.leafTiles(of: host, range))
            start = range.upperBound
            try Task.checkCancellation()
        }
        if let stray = try await reader.rows(of: host, start..<UInt64(Int64.max)).first {
            throw CopyProblem(stray.index, "the log has no such record")
        }
        try copy.finish()
        (verdict.records, verdict.unsigned) = (checkpoint.size, host.stored - checkpoint.size)
        verdict.root = checkpoint.root.base64
        (verdict.erased, verdict.withheld, verdict.dropped) = copy.counts
        for head in held {
            guard head.size <= host.stored else {
                verdict.notChecked.append("your checkpoint of \(head.size) records: the database has \(host.stored)")
                continue
            }
            guard head.size == 0 || copy.roots[head.size] == head.root else {
                verdict.contradicts = true
                throw CopyProblem(
                    nil, "The first \(head.size) records are not those of the checkpoint that you supplied")
            }
            verdict.heldSizes.append(head.size)
        }
    }

    private func checkRevocations(
        _ host: ListedHost, _ signers: [NoteVerifier], _ verdict: inout HostVerdict
    ) async throws {
        let revoked = try await reader.revokedKeys(of: host)
        guard !signers.isEmpty, signers.allSatisfy({ revoked[$0] != nil }) else { return }
        let first = signers.compactMap { revoked[$0] }.max() ?? 0
        verdict.notChecked.append("who wrote the records from \(first) on: their key was revoked")
    }

    private func heldHeads(_ host: ListedHost, _ keys: [NoteVerifier]) throws -> [TreeHead] {
        try trust.held.compactMap { note in
            guard Checkpoint(text: note.text)?.origin == host.origin else { return nil }
            guard let held = Checkpoint(note, signedBy: keys) else {
                throw CopyProblem(nil, "A checkpoint that you supplied has no valid signature by a key of the log")
            }
            return held.head
        }
    }
}

/// Notes and keys from the command line's files.
enum TrustInput {
    private static let longest = 16 << 20

    static func notes(_ path: String) throws -> [SignedNote] {
        guard let notes = SignedNote.list(try contents(path)), !notes.isEmpty else {
            throw FleetFailure.badData("\(path) contains no signed checkpoints.")
        }
        return notes
    }

    /// - Parameter argument: a verifier key, or a file with such keys, one per line.
    static func keys(_ argument: String) throws -> [NoteVerifier] {
        if let key = NoteVerifier(text: argument) { return [key] }
        guard let keys = NoteVerifier.list(try contents(argument)), !keys.isEmpty else {
            throw FleetFailure.badData("\(argument) is neither a verifier key nor a file with one per line.")
        }
        return keys
    }

    /// The collector's secret keys, one a line.
    static func signers(_ path: String) throws -> [NoteSigner] {
        let lines = String(decoding: try contents(path), as: UTF8.self).split(separator: "\n").map(String.init)
        let signers = lines.compactMap(NoteSigner.init(secretText:))
        guard !signers.isEmpty, signers.count == lines.count else {
            throw FleetFailure(
                code: "badConfiguration", message: "\(path) is not a key file of a collector.", status: 78)
        }
        return signers
    }

    private static func contents(_ path: String) throws -> Data { try RegularFile(path: path, limit: longest).data }
}
