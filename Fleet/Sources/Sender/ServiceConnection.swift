import AsyncHTTPClient
import Consent
import FleetModel
import Foundation
import NIOCore
import SocketAPI

/// The service's socket: what it lets this program read (`/v1/log`).
struct ServiceConnection: Sendable {
    /// How often the stream of the log's growth must show a sign of life.
    private static let heartbeat = 20
    private static let longestLine = 64 * 1024

    private let socket: String
    private let clients: HTTPClients

    init(socket: String, _ clients: HTTPClients) {
        (self.socket, self.clients) = (socket, clients)
    }

    /// Who receives the records, as the service declares it to its users.
    func collector() async throws -> CollectorReply {
        try JSONDecoder().decode(CollectorReply.self, from: await get("collector").bytes())
    }

    /// The newest checkpoint with its proof.
    ///
    /// - Parameter rotation: instead the first one after `from` that bears the signatures of a key and of its successor.
    func checkpoint(from size: UInt64, rotation: Bool = false) async throws -> WitnessRequest {
        let data = try await get("checkpoint?from=\(size)\(rotation ? "&rotation=true" : "")").bytes()
        guard let request = WitnessRequest(data) else {
            throw SenderError(.protocolViolated, "The service's checkpoint cannot be read.")
        }
        return request
    }

    /// The newest checkpoint with the service's time, signed: a note with the text of a `LogReport`.
    func report(counter: Int64) async throws -> String {
        String(decoding: try await get("report?counter=\(counter)").bytes(), as: UTF8.self)
    }

    /// The beginning of an upload, as it arrives.
    func packages(_ info: MirrorInfo) async throws -> HTTPClientResponse.Body {
        let ticket = info.ticket.base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        return try await get("packages?start=\(info.next)&end=\(info.size)&ticket=\(ticket ?? "")").body
    }

    /// The size of the signed log, at once and whenever it grew.
    func growth() async throws -> some AsyncSequence<UInt64, any Error> {
        try await get("growth?heartbeat=\(Self.heartbeat)").body.splitLines(maximumBufferSize: Self.longestLine).map {
            try JSONDecoder().decode(LogGrowthLine.self, from: Data($0.readableBytesView)).size
        }
    }

    private func get(_ path: String) async throws -> HTTPAnswer {
        guard let url = URL(httpURLWithSocketPath: socket, uri: "/v1/log/" + path) else {
            throw SenderError(.usage, "\(socket) is not the path of a socket.")
        }
        let response = try await clients.execute(HTTPClientRequest(url: url.absoluteString))
        guard response.status == .ok else {
            let problem = try? JSONDecoder().decode(ErrorReply.self, from: await response.bytes())
            throw SenderError(
                response.status == .forbidden ? .refused : .unavailable,
                "The service: \(problem?.error.message ?? "\(response.status)")", retryAfter: response.retryAfter)
        }
        return response
    }
}
