import Consent
import Foundation
import Hummingbird
import Server
import SocketAPI
import Synchronization

/// `/v1/audit`: the consent log to read, and its verification.
struct AuditRoutes {
    let log: ConsentLog
    let access: AuditAccess
    private let verification = RunningVerification()
    private let gentleVerification = RunningVerification()
    /// With a limit, all these records are in memory at once; without one, a page.
    private static let longestLimit: UInt64 = 10_000

    func add(to routes: Routes) {
        routes.on(.get, "audit/records", for: .client.streaming, use: records)
        routes.on(
            .get, "audit/verification",
            for: .commandLine("The consent log is verified with VoiceGate's own command: voicegate audit verify.")
        ) { call in try Response(json: try await verify(for: call).value) }
    }

    private func verify(for call: Call) -> Task<VerificationReport, any Error> {
        if access.verifiesGently(asPerson: call.isPerson, user: call.user) {
            return gentleVerification.task { try await log.verify(gently: true) }
        }
        return verification.task { try await log.verify() }
    }

    /// NDJSON, oldest first; `client`, `since`, `until`, `subject`, `limit` (this many of the newest), and `after` (the index
    /// of a record). The user's own command reads the whole log at once; a program, which may read few records of it, a
    /// span for each request.
    private func records(_ call: Call) async throws -> Response {
        var filter = try AuditFilter(call.request)
        filter.limit = try Self.limit(call.request)
        filter = try access.filter(filter, for: call)
        let span = RecordSpan(
            of: await log.head.size, after: try call.request.number("after"), fromEnd: filter.limit != nil,
            isBounded: !call.isPerson)
        let limited = filter.limit == nil ? nil : try await log.records(matching: filter, in: span.range)
        let shown = call.isPerson ? span : span.shown(ends: try await ends(of: filter, limited, in: span))
        let body =
            limited.map { ResponseBody(byteBuffer: ByteBuffer(string: $0.map { $0.line + "\n" }.joined())) }
            ?? log.lines(matching: filter, in: span.range) { Data(try ConsentRecord($0).line.utf8) }
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson", .recordSpan: shown.text], body: body)
    }

    private static func limit(_ request: Request) throws(RouteError) -> Int? {
        guard let limit = try request.number("limit") else { return nil }
        guard (1...longestLimit).contains(limit) else {
            throw RouteError(
                .invalidValue, "limit is a number from 1 to \(longestLimit). Omit it for all records.")
        }
        return Int(limit)
    }

    /// The first position of a span that is told, and that of the last record that matches.
    ///
    /// - Parameter limited: the records of a request with a limit.
    private func ends(
        of filter: AuditFilter, _ limited: [ConsentRecord]?, in span: RecordSpan
    ) async throws -> (first: UInt64, last: UInt64)? {
        if let limited { return limited.first.map { ($0.index, limited.last?.index ?? $0.index) } }
        var last = filter
        last.limit = 1
        return try await log.records(matching: last, in: span.range).last.map { (span.range.lowerBound, $0.index) }
    }
}

/// The verification that is running. Requests that come meanwhile wait for its report. A report is not kept for later ones: they
/// ask whether the file was changed since.
final class RunningVerification: Sendable {
    private let running = Mutex<Task<VerificationReport, any Error>?>(nil)

    /// - Returns: the one that is running, or a new one.
    func task(
        _ verify: @escaping @Sendable () async throws -> VerificationReport
    ) -> Task<VerificationReport, any Error> {
        running.withLock { running in
            if let running { return running }
            let task = Task {
                defer { self.running.withLock { $0 = nil } }
                return try await verify()
            }
            running = task
            return task
        }
    }
}

extension ConsentLog {
    /// A line for each entry. Reads a page when the one before was taken, so that one is in memory at a time.
    nonisolated func lines(
        matching filter: AuditFilter, in range: Range<UInt64>, withProofs: Bool = false,
        _ line: @escaping @Sendable (AuditEntry) throws -> Data
    ) -> ResponseBody {
        ResponseBody { writer in
            var after = range.lowerBound == 0 ? nil : range.lowerBound - 1
            repeat {
                let page = try await self.entries(
                    matching: filter, upTo: range.upperBound, withProofs: withProofs, after: after)
                var buffer = ByteBuffer()
                for entry in page.entries { buffer.writeBytes(try line(entry) + [UInt8(ascii: "\n")]) }
                if buffer.readableBytes > 0 { try await writer.write(buffer) }
                after = page.last
            } while after != nil
            try await writer.finish(nil)
        }
    }
}

extension AuditFilter {
    static let longestSubject = 128

    init(_ request: Request) throws(RouteError) {
        let subject = request.text("subject")
        if let subject, subject.isEmpty || subject.utf8.count > Self.longestSubject {
            throw RouteError(.invalidValue, "subject is a pseudonym or a user's number.")
        }
        self.init(
            since: try request.time("since"), until: try request.time("until"), client: try request.client(),
            subject: subject)
    }
}

/// Which records a caller may read: the user their own, and in advisory mode, or as root, all; a client those about itself
/// and its user, also if it runs VoiceGate's command. A program without a manifest reads none: another program may have its
/// name.
struct AuditAccess {
    let mode: ServiceMode

    /// A verification that is asked for again and again must not take all processors from other users, nor from the user of a
    /// program.
    func verifiesGently(asPerson isPerson: Bool, user: UInt32) -> Bool { !isPerson || !mode.mayManage(user) }

    /// Narrows a filter to what the caller may read.
    ///
    /// - Throws: `RouteError` with `notAllowed`.
    func filter(_ wish: AuditFilter, for call: Call) throws -> AuditFilter {
        var filter = wish
        filter.owner = mode.recordsOwner(for: call.user)
        guard !call.isPerson else { return filter }
        let client = call.requester.client
        let own = client.identifier
        guard client.manifest?.identifier == own, wish.client ?? own == own else {
            throw RouteError(
                .notAllowed,
                "A program can read only the records about itself. You can read all, at a terminal: "
                    + "voicegate audit records")
        }
        filter.client = own
        filter.excludesNotifying = true
        return filter
    }

    /// The user whose records an export is limited to; `nil`: no limit.
    ///
    /// - Parameter subject: of the request; without one the export is of the whole log.
    /// - Throws: `RouteError` with `notAllowed`.
    func exportOwner(_ subject: String?, for call: Call) throws -> UInt32? {
        guard let owner = mode.recordsOwner(for: call.user) else { return nil }
        guard subject != nil else {
            throw RouteError(
                .notAllowed,
                "Only root can export the whole log. For the records about you: voicegate audit export --user \(owner) --output audit"
            )
        }
        return owner
    }
}
