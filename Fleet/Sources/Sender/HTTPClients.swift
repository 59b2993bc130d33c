import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Connections to the service and to the collector.
struct HTTPClients: Sendable {
    /// How long each part of an exchange takes at most.
    struct Timeouts: Sendable {
        var connect = TimeAmount.seconds(10)
        /// Without a byte; the stream of the service beats more often.
        var silence = TimeAmount.seconds(60)
        /// Until the head of an answer; an upload of some megabytes goes before it.
        var head = TimeAmount.minutes(10)
        /// From there to the end of an answer that is read whole, however often a byte of it arrives.
        var body = Duration.seconds(60)
    }

    private let client: HTTPClient
    private let timeouts: Timeouts
    private let tls: TLSConfiguration
    private let certificate: ClientCertificate?

    /// Makes the connections for the body alone, and closes them also if it fails.
    ///
    /// - Parameters:
    ///   - certificates: PEM; `nil`: the system's.
    ///   - certificate: for a collector that requires one.
    static func with(
        trusting certificates: String?, showing certificate: ClientCertificate?, timeouts: Timeouts = Timeouts(),
        _ body: (HTTPClients) async throws -> Void
    ) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let certificates {
            do {
                let roots = try NIOSSLCertificate.fromPEMBytes(Array(certificates.utf8))
                guard !roots.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
                tls.trustRoots = .certificates(roots)
            } catch {
                throw SenderError(.usage, "The file of --ca has no certificate in PEM.")
            }
        }
        var configuration = HTTPClient.Configuration(
            // A collector that redirects must not make the token go elsewhere.
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: timeouts.connect, read: timeouts.silence, write: timeouts.silence))
        // Before the service closes an idle connection, so that no request meets its end; and the collector keeps no connection
        // of each machine from one report to the next.
        configuration.connectionPool.idleTimeout = .seconds(5)
        // `BackOff` says when to try again, and the reason is known at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await body(HTTPClients(client: client, timeouts: timeouts, tls: tls, certificate: certificate))
        }
    }

    func execute(_ request: HTTPClientRequest) async throws -> HTTPAnswer {
        HTTPAnswer(try await response(to: request), limit: timeouts.body)
    }

    private func response(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        guard request.url.hasPrefix("https:") else {
            return try await client.execute(request, timeout: timeouts.head)
        }
        var request = request
        if let certificate {
            request.tlsConfiguration = try await NIOThreadPool.singleton.runIfActive { [tls] in
                try certificate.shown(in: tls)
            }
        }
        do {
            return try await client.execute(request, timeout: timeouts.head)
        } catch let error as BoringSSLError {
            throw SenderError(.refused, "The collector ended the TLS connection: \(error). \(certificateAdvice)")
        } catch let error where error.isConnectionLoss {
            throw SenderError(.unavailable, "The collector closed the TLS connection: \(error). \(certificateAdvice)")
        }
    }

    /// In TLS 1.3 a server examines the client's certificate after the client has sent its request: if it refuses it, it ends
    /// the connection without an answer. Its alert may be lost with it.
    private var certificateAdvice: String {
        if let certificate { return "If it does not accept the certificate \(certificate.certificate), renew it." }
        return "If it requires a client certificate: voicegate-sender enroll --certificate FILE --key FILE"
    }
}

extension Error {
    /// Whether the connection ended without an answer.
    fileprivate var isConnectionLoss: Bool {
        self is IOError || self as? HTTPClientError == .remoteConnectionClosed
            || self as? NIOSSLError == .uncleanShutdown
    }
}

/// The head of an answer, and its body that is still to be read.
struct HTTPAnswer: Sendable {
    /// Bytes of an answer that is read whole.
    static let maximumSize = 1 << 20

    let status: HTTPResponseStatus
    /// Of a header `Retry-After` in seconds; at most an hour.
    let retryAfter: Duration?
    let body: HTTPClientResponse.Body
    private let limit: Duration

    /// - Parameter limit: how long reading it whole takes at most.
    init(_ response: HTTPClientResponse, limit: Duration) {
        (status, body, self.limit) = (response.status, response.body, limit)
        retryAfter = response.headers.first(name: "retry-after").flatMap { Int($0) }
            .map { .seconds(min(max($0, 0), 3600)) }
    }

    /// The whole body. The connection is closed if it is not read to its end.
    ///
    /// - Throws: `SenderError` with `protocolViolated` if it is too long, with `unavailable` if it takes too long.
    func bytes() async throws -> Data {
        try await withThrowingTaskGroup(of: Data.self) { group in
            defer { group.cancelAll() }
            group.addTask { [body] in
                do {
                    return Data(try await body.collect(upTo: Self.maximumSize).readableBytesView)
                } catch is NIOTooManyBytesError {
                    throw SenderError(.protocolViolated, "The answer has more than \(Self.maximumSize) bytes.")
                }
            }
            group.addTask { [limit] in
                try await Task.sleep(for: limit)
                throw SenderError(.unavailable, "The answer was not complete after \(limit).")
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
