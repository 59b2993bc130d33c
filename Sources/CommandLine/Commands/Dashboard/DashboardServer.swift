import AuditExport
import Authorization
import Foundation
import NIOHTTP1
import SocketAPI
import Synchronization

/// Serves the dashboard on 127.0.0.1.
struct DashboardServer: Sendable {
    private typealias Request = LoopbackServer.Request
    private typealias Response = LoopbackServer.Response

    /// The page loads and runs only its own files, sends forms only to itself, and is shown in no frame.
    private static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    let source: any DashboardSource
    let language: Language
    let use = LastUse()

    /// Serves until the task is cancelled, or until it has been idle for a while.
    ///
    /// - Parameters:
    ///   - port: 0: any.
    ///   - idle: how long it is served without a request and without an open page.
    ///   - onServing: gets the address that works once.
    /// - Throws: also `IOError` if the port is in use.
    func run(port: Int, idle: Duration, onServing: @Sendable (String) throws -> Void) async throws {
        let own = DashboardGuard()
        let server = try await LoopbackServer(port: port) { await answer($0, own) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask { try await use.waitUntilUnused(for: idle) }
            defer { group.cancelAll() }
            try onServing(own.address(server.port) ?? "")
            try await group.next()
        }
    }

    private func answer(_ request: Request, _ own: DashboardGuard) async -> Response {
        switch own.check(request) {
        case .refused(.noSession): return notice(.usedAddress, .forbidden)
        case .refused: return notice(.notThisPage, .forbidden)
        case .exchanged(let cookie):
            use.note()
            return Self.response(.seeOther, [("Set-Cookie", cookie), ("Location", "/")])
        case .allowed:
            use.note()
            do {
                return try await route(request, own)
            } catch {
                let reply = ErrorReply(reporting: CommandError(translating: error) ?? error)
                return notice(.failed(reply.error.message), .badGateway)
            }
        }
    }

    private func route(_ request: Request, _ own: DashboardGuard) async throws -> Response {
        switch (request.method, request.path) {
        case (.GET, "/"):
            let page = DashboardPage(try await source.content(), language: language, formToken: own.formToken)
            return html(page.document(request.query["done"].flatMap(DashboardMessage.init(rawValue:))))
        case (.GET, "/erase"):
            if let kept = request.query["kept"] {
                let page = DashboardPage(try await source.content(), language: language, formToken: own.formToken)
                guard let document = page.confirmation(erasingKept: kept == "all" ? nil : kept) else { break }
                return html(document)
            }
            guard let client = request.query["client"] else { break }
            let planned = try await source.rehearseErasure(of: client)
            return html(
                DashboardPage.confirmation(erasing: client, planned, language: language, formToken: own.formToken))
        case (.GET, "/events"):
            // Of which only that there is one counts.
            var response = Self.response(
                .ok, [("Content-Type", "text/event-stream")], .events(try await source.changes()))
            use.begin()
            response.onEnd = use.end
            return response
        case (.GET, let path):
            guard let asset = DashboardPage.asset(path) else { break }
            return Self.response(.ok, [("Content-Type", asset.type)], .bytes(asset.bytes))
        case (.POST, _): return try await act(request, own)
        default: return Self.response(.methodNotAllowed, [("Allow", "GET, POST")])
        }
        return notice(.wrongRequest, .notFound)
    }

    private func act(_ request: Request, _ own: DashboardGuard) async throws -> Response {
        guard let fields = Self.fields(of: request), own.isOwnForm(fields) else {
            return notice(.notThisPage, .forbidden)
        }
        let name = String(request.path.dropFirst())
        if name == "export" {
            guard let format = fields["format"].flatMap(ExportFormat.init(rawValue:)),
                ExportFormat.offered.contains(format)
            else { return notice(.wrongRequest, .badRequest) }
            let file = "\(format.downloadName).\(format.suffix)"
            let headers = [
                ("Content-Type", "application/octet-stream"),
                ("Content-Disposition", "attachment; filename=\"\(file)\""),
            ]
            return Self.response(.ok, headers, .bytes([UInt8](try await source.export(format))))
        }
        guard let action = DashboardAction(name, fields) else { return notice(.wrongRequest, .notFound) }
        try await source.perform(action)
        return Self.response(.seeOther, [("Location", "/?done=\(DashboardMessage(action).rawValue)")])
    }

    /// - Returns: `nil` unless it is a form.
    private static func fields(of request: Request) -> [String: String]? {
        guard request.headers.first(name: "Content-Type") == "application/x-www-form-urlencoded",
            let body = request.body
        else { return nil }
        var fields: [String: String] = [:]
        for pair in body.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
            // A field that is there twice is not the page's.
            guard parts.count == 2, fields.updateValue(parts[1], forKey: parts[0]) == nil else { return nil }
        }
        return fields
    }

    private func html(_ document: String, _ status: HTTPResponseStatus = .ok) -> Response {
        Self.response(status, [("Content-Type", "text/html; charset=utf-8")], .bytes(Array(document.utf8)))
    }

    private func notice(_ notice: DashboardNotice, _ status: HTTPResponseStatus) -> Response {
        html(DashboardPage.notice(notice, language: language), status)
    }

    /// With the fields of every answer. `same-origin`: without a referrer, browsers send no origin with a form.
    private static func response(
        _ status: HTTPResponseStatus, _ headers: [(String, String)], _ body: Response.Body = .bytes([])
    ) -> Response {
        let common = [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
            ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        return Response(status: status, headers: headers + common, body: body)
    }
}

/// When the dashboard was last used. A page that is open and receives changes uses it.
final class LastUse: Sendable {
    private struct State {
        var last = ContinuousClock.now
        var openPages = 0
    }

    private let state = Mutex(State())

    func note() { state.withLock { $0.last = .now } }
    func begin() { state.withLock { $0.openPages += 1 } }

    @Sendable func end() {
        state.withLock { state in
            state.openPages -= 1
            state.last = .now
        }
    }

    /// Returns when it was not used for so long.
    func waitUntilUnused(for idle: Duration) async throws {
        while true {
            let (last, isOpen) = state.withLock { ($0.last, $0.openPages > 0) }
            let end = (isOpen ? .now : last) + idle
            if end <= .now { return }
            try await Task.sleep(until: end, clock: .continuous)
        }
    }
}
