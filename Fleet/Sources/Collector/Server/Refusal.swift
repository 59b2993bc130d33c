import Consent
import FleetModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Why a request is refused, as the HTTP answer that says so.
struct Refusal: Error, Sendable {
    let status: HTTPResponse.Status
    let text: String
    var type = "text/plain; charset=utf-8"
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ text: String) {
        self.status = status
        self.text = text + "\n"
    }

    private init(_ status: HTTPResponse.Status, type: String, body: String) {
        self.status = status
        self.type = type
        text = body
    }

    static let unknownLog = Refusal(.notFound, "The log is not enrolled.")

    static let untrusted = Refusal(.forbidden, "No known key of the log signed the checkpoint.")

    static let unauthorized: Refusal = {
        var refusal = Refusal(.unauthorized, "The token is missing or not known.")
        refusal.headers[.wwwAuthenticate] = "Bearer"
        return refusal
    }()

    static func malformed(_ reason: String) -> Refusal { Refusal(.badRequest, reason) }

    /// Pushback: the sender waits this many seconds.
    static func busy(
        _ status: HTTPResponse.Status, after seconds: Int, _ reason: String = "Too many requests at once."
    ) -> Refusal {
        var refusal = Refusal(status, "\(reason) Try again in \(seconds) s.")
        refusal.headers[.retryAfter] = String(seconds)
        return refusal
    }

    /// Until the next day, or until an administrator raises the quota, which may be any moment.
    static let overQuota = busy(
        .tooManyRequests, after: 3600, "The host has stored as much as it may on one day (dailyBytes).")

    /// https://c2sp.org/tlog-witness: the size of the last accepted checkpoint.
    static func sizeConflict(_ size: UInt64) -> Refusal {
        Refusal(.conflict, type: "text/x.tlog.size", body: "\(size)\n")
    }

    /// https://c2sp.org/tlog-mirror: where an upload goes on, without a ticket.
    static func uploadConflict(end: UInt64, next: UInt64) -> Refusal {
        Refusal(.conflict, type: MirrorInfo.mediaType, body: MirrorInfo(size: end, next: next).text)
    }

    static func json(_ status: HTTPResponse.Status, _ value: some Encodable) throws -> Refusal {
        Refusal(
            status, type: "application/json", body: String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    }
}

extension Refusal: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) -> Response {
        var response = Response(status: status, type: type, text)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension Response {
    init(status: HTTPResponse.Status = .ok, type: String, _ text: String) {
        self.init(status: status, type: type, Data(text.utf8))
    }

    init(status: HTTPResponse.Status = .ok, type: String, _ data: Data) {
        self.init(
            status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    static func json(_ status: HTTPResponse.Status, _ value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(status: status, type: "application/json", try encoder.encode(value))
    }
}

extension Request {
    /// The whole body.
    ///
    /// - Throws: `Refusal` if it is larger.
    func body(upTo limit: Int) async throws -> Data {
        do {
            return Data(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw Refusal(.contentTooLarge, "The body is larger than \(limit) bytes.")
        }
    }

    func json<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        let data = try await body(upTo: 256 * 1024)
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw Refusal.malformed("The body is not the JSON of this request.")
        }
    }
}
