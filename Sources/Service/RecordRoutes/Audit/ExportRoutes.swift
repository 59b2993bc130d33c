import Authorization
import Consent
import Foundation
import Hummingbird
import Server
import SocketAPI
import Storage

/// The entries for an export, and the record that an export was made.
struct ExportRoutes {
    let log: ConsentLog
    let access: AuditAccess

    func add(to routes: Routes) {
        let person = RouteAccess.person(
            "Only you can export records. Run voicegate audit export yourself at a terminal.")
        routes.on(.get, "audit/entries", for: person.streaming, use: entries)
        routes.on(.post, "audit/exports", for: person, use: exported)
    }

    /// NDJSON of `AuditEntry`, oldest first; `client`, `since`, `until`, `subject`, `proofs=true`, and `size`: of the
    /// checkpoint that is read up to and proven against; by default the size of the log.
    private func entries(_ call: Call) async throws -> Response {
        var filter = try AuditFilter(call.request)
        filter.owner = try access.exportOwner(filter.subject, for: call)
        let head = await log.head.size
        let size = try call.request.number("size") ?? head
        guard size <= head else { throw RouteError(.invalidValue, "The log has \(head) records, not \(size).") }
        let withProofs = try call.request.isSet("proofs")
        let headers: HTTPFields = [
            .contentType: "application/x-ndjson", .cacheControl: "no-store", .checkpointSize: String(size),
        ]
        let encoder = JSONCoding.encoder()
        return Response(
            status: .ok, headers: headers,
            body: log.lines(matching: filter, in: 0..<size, withProofs: withProofs) { try encoder.encode($0) })
    }

    private func exported(_ call: Call) async throws -> Response {
        let body = try await call.request.json(ExportRequest.self)
        _ = try access.exportOwner(body.subject, for: call)
        let caller = call.requester.caller
        guard body.sha256.wholeMatch(of: /[0-9a-f]{64}/) != nil else {
            throw RouteError(.invalidValue, "sha256 is 64 digits of lower-case hexadecimal.")
        }
        guard Self.formats.contains(body.format) else {
            throw RouteError(.invalidValue, "format is one of \(Self.formats.joined(separator: ", ")).")
        }
        let scope = try Self.scope(body)
        // An export exercises the right of access, which is recorded as well.
        let asked = RightsRequest(
            identifier: UUID().uuidString.lowercased(), right: .access, scope: scope, by: caller)
        try await log.record(.requestReceived(asked), changing: nil)
        let (record, signature) = try await log.recordExport(
            of: scope, format: body.format, sha256: body.sha256, size: body.size, by: caller)
        try await log.record(.requestAnswered(asked, .fulfilled), changing: nil)
        return try Response(
            json: ExportReply(record: record, signature: signature.map { String(decoding: $0.data, as: UTF8.self) }))
    }

    private static let formats = ["bundle", "jsonl", "csv", "jsonld", "html", "art30"]

    private static func scope(_ body: ExportRequest) throws -> RightsScope {
        let client = body.client.flatMap(ClientIdentifier.init(rawValue:))
        guard (client == nil) == (body.client == nil) else {
            throw RouteError(.invalidValue, "client is a bundle identifier.")
        }
        guard body.subject?.utf8.count ?? 0 <= AuditFilter.longestSubject else {
            throw RouteError(.invalidValue, "subject is a pseudonym or a user's number.")
        }
        let user = body.subject.flatMap { UInt32($0) }
        return RightsScope(
            client: client, user: user, subject: user == nil ? body.subject : nil, since: body.since,
            before: body.until)
    }
}

/// `POST /v1/audit/backups`: a copy of the log in the state directory while the connection is open. It is not sent, because it
/// has the log's secret key, which only those who may read the service's files should have.
struct BackupRoutes {
    let log: ConsentLog
    let backup: LogBackup

    func add(to routes: Routes) {
        routes.on(
            .post, "audit/backups",
            for: .person(
                "Only you can back up the log: voicegate audit backup FOLDER",
                toOthers: "This log is of all users; only root can back it up."
            ).streaming
        ) { call in try await make(for: call.requester.caller) }
    }

    /// Recorded before anyone gets it. The copy goes with the answer's body, whether that is sent, broken off or never begun.
    func make(for caller: Caller) async throws -> Response {
        let records = await log.head.size
        guard let copy = try await backup.make() else {
            throw RouteError(.busy, "Another backup is being made. Try again when it is done.")
        }
        let (lines, continuation) = AsyncStream.makeStream(of: BackupReply.self)
        _ = try await log.recordExport(
            of: RightsScope(), format: "backup", sha256: copy.digest, size: records, by: caller)
        continuation.yield(BackupReply(folder: backup.path, records: records, sha256: copy.digest))
        return Response(lines: lines) {
            // Keeps the stream open until here.
            _ = continuation
            await copy.remove()
        }
    }
}
