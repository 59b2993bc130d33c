import AsyncHTTPClient
import FleetSupport
import Foundation
import NIOSSL
import Testing

@testable import Collector

@Suite("TLS", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct TLSTests {
    /// A certificate by a private authority, for localhost.
    private struct Certificate {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        var certificate: String { folder.path + "/certificate.pem" }
        var key: String { folder.path + "/key.pem" }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    private static func withClient(
        trusting authority: Certificate?, showing own: Certificate? = nil, _ body: (HTTPClient) async throws -> Void
    ) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority { tls.trustRoots = .file(authority.certificate) }
        if let own {
            tls.certificateChain = try NIOSSLCertificate.fromPEMFile(own.certificate).map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: own.key, format: .pem))
        }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        // A refusal is known at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        do {
            try await body(client)
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    @Test("The certificate is checked by clients, and plain text gets no answer")
    func server() async throws {
        let certificate = try Certificate()
        defer { certificate.remove() }
        try await RunningCollector.run({
            ($0.certificate, $0.certificateKey) = (certificate.certificate, certificate.key)
        }) { collector in
            try await Self.withClient(trusting: certificate) { client in
                let status = try await collector.send("GET", "/health", client: client).status
                #expect(status == 200)
            }
            try await Self.withClient(trusting: nil) { client in
                await #expect(throws: (any Error).self) { try await collector.send("GET", "/health", client: client) }
            }
            let plain = RunningCollector(
                url: collector.url.replacing("https:", with: "http:"), store: collector.store, keys: collector.keys,
                database: collector.database)
            await #expect(throws: (any Error).self) { try await plain.send("GET", "/health") }
        }
    }

    @Test("With clientCA only machines with a certificate of it are answered")
    func clients() async throws {
        let (certificate, machine, stranger) = (try Certificate(), try Certificate(), try Certificate())
        defer { for each in [certificate, machine, stranger] { each.remove() } }
        try await RunningCollector.run({
            ($0.certificate, $0.certificateKey) = (certificate.certificate, certificate.key)
            $0.clientCA = machine.certificate
        }) { collector in
            try await Self.withClient(trusting: certificate, showing: machine) { client in
                let status = try await collector.send("GET", "/health", client: client).status
                #expect(status == 200)
            }
            for own in [nil, stranger] {
                try await Self.withClient(trusting: certificate, showing: own) { client in
                    await #expect(throws: (any Error).self) {
                        try await collector.send("GET", "/health", client: client)
                    }
                }
            }
        }
    }
}
