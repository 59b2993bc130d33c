import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Connections to the service and to the collector.
struct HTTPClients: Sendable {
    private static let connectTimeout = TimeAmount.seconds(10)
    /// Without a byte; the stream of the service beats more often.
    private static let silence = TimeAmount.seconds(60)
    /// Until the head of an answer; an upload of some megabytes goes before it.
    static let patience = TimeAmount.minutes(10)

    private let client: HTTPClient

    /// Makes the connections for the body alone, and closes them also if it fails.
    ///
    /// - Parameter certificates: PEM; `nil`: the system's.
    static func with(
        trusting certificates: String?, _ body: (HTTPClients) async throws -> Void
    ) async throws {
        let clients = try HTTPClients(trusting: certificates)
        do {
            try await body(clients)
        } catch {
            // The body's error is the one to name.
            try? await clients.client.shutdown()
            throw error
        }
        try await clients.client.shutdown()
    }

    private init(trusting certificates: String?) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
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
            timeout: .init(connect: Self.connectTimeout, read: Self.silence, write: Self.silence))
        // Before the service closes an idle connection, so that no request meets its end.
        configuration.connectionPool.idleTimeout = .seconds(20)
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await client.execute(request, timeout: Self.patience)
    }
}

extension HTTPClientResponse {
    /// Bytes of an answer that is read whole.
    static let maximumSize = 1 << 20

    func bytes() async throws -> Data { Data(try await body.collect(upTo: Self.maximumSize).readableBytesView) }

    /// Of a header `Retry-After` in seconds; at most an hour.
    var retryAfter: Duration? {
        headers.first(name: "retry-after").flatMap { Int($0) }.map { .seconds(min(max($0, 0), 3600)) }
    }
}
