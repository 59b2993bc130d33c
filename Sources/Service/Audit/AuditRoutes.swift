import Authorization
import Consent
import Foundation
import Hummingbird
import SocketAPI

/// `/v1/audit`: the consent log to read, and its verification.
struct AuditRoutes {
    let clients: ClientResolver
    let log: ConsentLog

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("audit/records", use: records)
        group.get("audit/verification", use: verify)
    }

    /// NDJSON, oldest first; `since` (ISO 8601), `limit` (the last so many), `client`.
    ///
    /// The log tells what every client did, so a client reads only the records about itself.
    private func records(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        let query = request.uri.queryParameters
        var filter = AuditFilter()
        if let text = query["since"].map(String.init) {
            guard let since = try? Date(text, strategy: .iso8601) else {
                throw RouteError(.invalidValue, "since is a time in ISO 8601, such as 2026-11-21T10:00:00Z.")
            }
            filter.since = since
        }
        if let text = query["limit"] {
            guard let limit = Int(text), limit > 0 else {
                throw RouteError(.invalidValue, "limit is a number above 0.")
            }
            filter.limit = limit
        }
        if let text = query["client"].map(String.init) {
            guard let client = ClientIdentifier(rawValue: text) else {
                throw RouteError(.invalidValue, "client is a bundle identifier.")
            }
            filter.client = client
        }
        if !clients.isCommandLine(requester) {
            guard let manifest = requester.client.manifest, filter.client ?? manifest.identifier == manifest.identifier
            else {
                throw RouteError(
                    .notAllowed,
                    "A program reads the records about itself alone; all are read with: voicegate audit records")
            }
            filter.client = manifest.identifier
        }
        var body = ByteBuffer()
        for record in try await log.records(matching: filter) {
            body.writeString(record.line)
            body.writeInteger(UInt8(ascii: "\n"))
        }
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson"], body: ResponseBody(byteBuffer: body))
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
