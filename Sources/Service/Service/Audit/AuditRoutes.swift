import Authorization
import Consent
import Foundation
import Hummingbird
import SocketAPI

/// `/v1/audit`: the consent log to read, and its verification.
struct AuditRoutes {
    let clients: ClientResolver
    let log: ConsentLog
    let access: AuditAccess
    /// The last so many are looked for from the end and held in memory; without a limit a page is held.
    private static let longestLimit: UInt64 = 10_000

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("audit/records", use: records)
        group.get("audit/verification", use: verify)
    }

    /// NDJSON, oldest first; `client`, `since`, `until`, `subject`, and `limit` (the last so many).
    ///
    /// The log tells what every client did for every user, so a client reads only the records about itself.
    private func records(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        let query = AuditQuery(request)
        var filter = try query.filter()
        if let limit = try query.number("limit") {
            guard (1...Self.longestLimit).contains(limit) else {
                throw RouteError(
                    .invalidValue,
                    "limit is a number from 1 to \(Self.longestLimit). Leave it away for all records.")
            }
            filter.limit = Int(clamping: limit)
        }
        filter = try access.filter(filter, for: requester)
        let headers: HTTPFields = [.contentType: "application/x-ndjson"]
        guard filter.limit == nil else {
            let lines = try await log.records(matching: filter).map { $0.line + "\n" }.joined()
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: lines)))
        }
        return Response(status: .ok, headers: headers, body: await stream(filter))
    }

    /// A page is read when the one before was taken.
    private func stream(_ filter: AuditFilter) async -> ResponseBody {
        let size = await log.head.size
        return ResponseBody { [log] writer in
            var after: UInt64?
            repeat {
                let page = try await log.entries(matching: filter, upTo: size, after: after)
                let lines = try page.entries.map { AuditRecord(try ConsentRecord($0)).line + "\n" }.joined()
                if !lines.isEmpty { try await writer.write(ByteBuffer(string: lines)) }
                after = page.last
            } while after != nil
            try await writer.finish(nil)
        }
    }

    private func verify(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isCommandLine(requester) else {
            throw RouteError(
                .notAllowed, "The consent log is verified with VoiceGate's own command: voicegate audit verify.")
        }
        return try Response(json: try await log.verify())
    }
}
