import AsyncHTTPClient
import Consent
import FleetModel
import Foundation
import NIOCore
import NIOHTTP1

/// The collector's interfaces of a host.
struct CollectorConnection: Sendable {
    /// The answer to a checkpoint.
    enum Witnessed: Sendable, Hashable {
        case accepted
        /// The collector's last checkpoint has this many records.
        case otherSize(UInt64)
        /// It is signed by no key that the collector knows.
        case unknownKey
    }

    /// The answer to a report.
    enum Reported: Sendable, Hashable {
        /// Seconds until the next one; `nil`: as before.
        case accepted(interval: Int?)
        /// It has counted up to this already.
        case counted(Int64)
    }

    let isEncrypted: Bool
    private let credential: Credential
    private let clients: HTTPClients

    init(_ credential: Credential, _ clients: HTTPClients) throws(SenderError) {
        isEncrypted = try Self.isEncrypted(credential.url)
        (self.credential, self.clients) = (credential, clients)
    }

    var url: String { credential.url }

    /// Plain text is for the loopback alone.
    private static func isEncrypted(_ url: String) throws(SenderError) -> Bool {
        let parts = URLComponents(string: url)
        switch parts?.scheme {
        case "https": return true
        case "http" where ["127.0.0.1", "[::1]", "localhost"].contains(parts?.host): return false
        default: throw SenderError(.notEnrolled, "\(url) is not https, and not on this machine.")
        }
    }

    static func enroll(
        _ request: EnrolmentRequest, at url: String, _ clients: HTTPClients
    ) async throws -> EnrolmentReply {
        _ = try isEncrypted(url)
        let response = try await clients.execute(
            post("enroll", at: url, type: "application/json", .bytes(try JSONEncoder().encode(request))))
        guard response.status == .created || response.status == .ok else { throw await failure(response) }
        let reply = try JSONDecoder().decode(EnrolmentReply.self, from: await response.bytes())
        guard ReportRule.allowedInterval.contains(reply.interval) else {
            throw SenderError(.protocolViolated, "The collector asks for a report every \(reply.interval) s.")
        }
        return reply
    }

    func witness(_ request: WitnessRequest) async throws -> Witnessed {
        let response = try await send("add-checkpoint", type: "text/plain; charset=utf-8", .bytes(request.data))
        switch response.status {
        case .ok:
            _ = try await response.bytes()
            return .accepted
        case .forbidden:
            _ = try await response.bytes()
            return .unknownKey
        case .conflict:
            let text = String(decoding: try await response.bytes(), as: UTF8.self)
            guard text.hasSuffix("\n"), let size = UInt64(text.dropLast()) else {
                throw SenderError(.protocolViolated, "The collector's size cannot be read.")
            }
            return .otherSize(size)
        default: throw await Self.failure(response, inconsistent: "The collector has another log than this one")
        }
    }

    /// - Parameter upload: a beginning of the upload that the info asks for.
    /// - Returns: what the collector waits for now; `nil`: nothing.
    func add(_ upload: HTTPClientRequest.Body) async throws -> MirrorInfo? {
        let response = try await send("add-records", type: UploadForm.records.mediaType, upload)
        switch response.status {
        case .ok:
            _ = try await response.bytes()
            return nil
        case .accepted, .conflict:
            guard let info = MirrorInfo(try await response.bytes()) else {
                throw SenderError(.protocolViolated, "The collector's mirror-info cannot be read.")
            }
            return info
        default: throw await Self.failure(response, inconsistent: "The collector refuses the records")
        }
    }

    /// What the collector has, found by an upload of nothing.
    func position(origin: String) async throws -> MirrorInfo {
        guard let head = UploadHead(origin: origin, range: UInt64(Int64.max)..<UInt64(Int64.max)) else {
            throw SenderError(.protocolViolated, "The service's log has no name.")
        }
        return try await add(.bytes(head.data)) ?? MirrorInfo(size: 0, next: 0)
    }

    func report(_ report: ReportRequest) async throws -> Reported {
        let response = try await send("report", type: "application/json", .bytes(try JSONEncoder().encode(report)))
        switch response.status {
        case .ok:
            let interval = try JSONDecoder().decode(ReportReply.self, from: await response.bytes()).interval
            return .accepted(interval: interval.flatMap { ReportRule.allowedInterval.contains($0) ? $0 : nil })
        case .conflict:
            guard let counter = try JSONDecoder().decode(ReportReply.self, from: await response.bytes()).counter,
                (0..<Int64.max).contains(counter)
            else {
                throw SenderError(.protocolViolated, "The collector's counter cannot be read.")
            }
            return .counted(counter)
        default: throw await Self.failure(response, inconsistent: "The collector refuses the report")
        }
    }

    private func send(
        _ path: String, type: String, _ body: HTTPClientRequest.Body
    ) async throws -> HTTPAnswer {
        var request = Self.post(path, at: credential.url, type: type, body)
        request.headers.add(name: "authorization", value: "Bearer \(credential.token)")
        return try await clients.execute(request)
    }

    private static func post(
        _ path: String, at url: String, type: String, _ body: HTTPClientRequest.Body
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url.hasSuffix("/") ? url + path : "\(url)/\(path)")
        request.method = .POST
        request.headers = ["content-type": type, "user-agent": "voicegate-sender"]
        request.body = body
        return request
    }

    /// - Parameter reason: what 422 says about the log, if it says anything.
    private static func failure(_ response: HTTPAnswer, inconsistent reason: String? = nil) async -> SenderError {
        // For a log and a terminal: bounded, and nothing that moves the cursor.
        let text = String(decoding: ((try? await response.bytes()) ?? Data()).prefix(400), as: UTF8.self)
            .map { $0.isASCII && !$0.isNewline && ($0.asciiValue ?? 0) >= 0x20 ? $0 : " " }
        let message = "\(response.status.code) \(String(text).trimmingCharacters(in: .whitespaces))"
        if response.status == .unprocessableEntity, let reason {
            return SenderError(.inconsistent, "\(reason): The collector: \(message)")
        }
        switch response.status {
        case .unauthorized, .forbidden:
            return SenderError(.refused, "The collector does not accept this host: \(message)")
        case .notFound: return SenderError(.refused, "The collector does not know this log: \(message)")
        default:
            return SenderError(.unavailable, "The collector: \(message)", retryAfter: response.retryAfter)
        }
    }
}
