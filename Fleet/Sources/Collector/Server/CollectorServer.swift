import FleetDatabase
import FleetModel
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

/// The collector: composes the routes, the database and the periodic work.
struct CollectorServer: Sendable {
    /// Connections that are open at once; more wait to be accepted.
    private static let mostConnections = 2000
    /// Uploads that wait for their turn, for each that is received.
    private static let waitingUploads = 16
    /// Bytes of all uploads.
    private static let uploadMemory = 64 << 20

    let settings: CollectorSettings
    let keys: CollectorKeys
    let logger: Logger
    /// Called with the port that is listened on; `nil` for a Unix socket.
    var onListening: @Sendable (Int?) -> Void = { _ in }
    var times = ConnectionLimits.Times()
    /// Between two rounds of the periodic work.
    var pause = Duration.seconds(5)

    /// Runs until the task is cancelled or SIGTERM or SIGINT comes.
    func run() async throws {
        let address = try settings.address()
        func store(_ connections: Int) -> FleetStore {
            FleetStore(
                DatabasePool(settings: settings.database, limit: connections), dailyBytes: settings.dailyBytes,
                logger: logger)
        }
        // Uploads may have to wait for retention, or for a slow disk: the checks of hosts, and their reports, do not.
        let reserved = max(CollectorSettings.leastReserved, settings.connections / 4)
        let (uploads, store, duties) = (
            store(settings.connections - reserved), store(reserved), store(PeriodicWork.connections)
        )
        try await store.check()
        if try await !store.pool.withConnection({ await $0.isProtected }) {
            logger.warning(
                "the database is reached over a network without a verified certificate: set sslmode=verify-full")
        }
        try await store.register(keys.witness.witnessVerifier, as: .witness)
        try await store.register(keys.mirror.witnessVerifier, as: .mirror)
        let witnesses = try settings.witnessPolicy.map { try UpstreamWitnesses(policyFile: $0, duties, logger) }
        try await witnesses?.register()
        let application = Application(
            router: try router(store, uploads), server: try channel(),
            configuration: ApplicationConfiguration(
                address: address, availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections)),
            onServerRunning: { onListening($0.localAddress?.port) }, logger: logger)
        let periodic = PeriodicWork(
            store: duties, webhook: try settings.webhook.map(Webhook.init), witnesses: witnesses,
            export: try MetricsExport(environment: ProcessInfo.processInfo.environment), logger: logger, pause: pause)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: application), .init(service: periodic)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    private func router(_ store: FleetStore, _ uploads: FleetStore) throws -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        let counters = Counters()
        router.add(middleware: ErrorTranslation(logger: logger))
        HostRoutes(store: store).add(to: router)
        LogRoutes(
            store: store, uploadStore: uploads, keys: keys,
            uploads: HostGate(active: settings.uploads, waiting: settings.uploads * Self.waitingUploads),
            memory: UploadMemory(limit: Self.uploadMemory), monitoring: try monitoring(), counters: counters
        ).add(to: router)
        StatusRoutes(
            store: store, counters: counters, readers: try settings.metricsTokenFile.map(Self.holders) ?? .everybody,
            isByHost: settings.metricsByHost
        ).add(to: router)
        return router
    }

    private func monitoring() throws -> Monitoring {
        switch settings.monitoring {
        case nil: return .nobody
        case "open": return .everybody
        case let file?: return try Self.holders(of: file)
        }
    }

    private static func holders(of file: String) throws -> Monitoring {
        .holders(BearerToken(text: try CollectorSettings.secret(in: file, "token")))
    }

    private func channel() throws -> HTTPServerBuilder {
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [ConnectionLimits(times)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 64)))
        guard let certificate = settings.certificate, let key = settings.certificateKey else { return http }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        if let authorities = settings.clientCA {
            tls.trustRoots = .file(authorities)
            // A client has no host name to check.
            tls.certificateVerification = .noHostnameVerification
        }
        return try .tls(http, tlsConfiguration: tls)
    }
}

/// Internal errors are logged, and answered without their details. A request that came while the database was away is
/// to come back.
private struct ErrorTranslation: RouterMiddleware {
    let logger: Logger

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError {
            throw error
        } catch let error as DatabaseError where error.isTransient {
            logger.warning("database", metadata: ["error": "\(error)"])
            throw Refusal.busy(
                .serviceUnavailable, after: 2 + Int.random(in: 0...3), "The collector's database is unavailable.")
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            throw Refusal(.internalServerError, "The collector has failed. Its journal has the reason.")
        }
    }
}
