import Foundation
import Glibc
import Hummingbird
import ServiceLifecycle
import SocketAPI

extension Composition {
    /// The services that run until the end.
    func serviceGroup(
        _ parts: ServiceParts, _ sockets: ServiceSockets, _ router: Router<ServiceContext>,
        _ monitors: MonitorService, _ policy: PolicyService
    ) -> ServiceGroup {
        let (gate, logger) = (parts.gate, parts.logger)
        let processes = ProcessWatch { process in Task { await gate.processEnded(process) } }
        let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: policy), .init(service: ExpiryService(gate: gate)),
            .init(service: RetentionService(items: parts.items, logger: logger)),
            .init(service: monitors), .init(service: CheckpointService(log: parts.log, logger: logger)),
            .init(service: indicator(parts)), .init(service: quietMoments(parts)),
            .init(service: wyoming(parts, sockets, processes)),
            .init(
                service: server(parts, sockets, router, processes),
                successTerminationBehavior: .gracefullyShutdownGroup),
        ]
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    }

    func monitors(_ parts: ServiceParts) async throws -> MonitorService {
        try await MonitorService(
            MonitorService.Parts(
                device: parts.device, clients: parts.clients, runner: parts.runner, log: parts.log,
                source: parts.source, recognizer: parts.recognizers,
                act: MonitorAct(socket: options.socket, environment: ProcessInfo.processInfo.environment),
                logger: parts.logger))
    }

    private func server(
        _ parts: ServiceParts, _ sockets: ServiceSockets, _ router: Router<ServiceContext>, _ processes: ProcessWatch
    ) -> some Service {
        let ready = ReadyDescriptor(options.readyFileDescriptor)
        let (socket, logger) = (sockets.http, parts.logger)
        return SocketServer(
            socket: socket, responder: router.buildResponder(), admission: admission(parts, processes),
            onListening: {
                logger.info("listening", metadata: ["socket": "\(socket.path)"])
                ready.signal()
            },
            onStopping: { [registry = parts.registry] in await registry.stopAll() })
    }

    private func wyoming(
        _ parts: ServiceParts, _ sockets: ServiceSockets, _ processes: ProcessWatch
    ) -> WyomingServer {
        WyomingServer(
            socket: sockets.wyoming, loopback: sockets.loopback,
            clients: parts.clients, sessions: parts.files,
            speech: WyomingSpeech(
                modelFolder: parts.model, language: parts.configuration.wyoming?.language,
                catalogue: parts.library.catalogue),
            timeouts: WyomingTimeouts(event: .seconds(options.wyomingPatience)),
            admission: admission(parts, processes))
    }

    /// For one server; each counts its own connections.
    private func admission(_ parts: ServiceParts, _ processes: ProcessWatch) -> Admission {
        Admission(inspector: parts.inspector, processes: processes, logger: parts.logger) {
            [commandLine = parts.commandLine] in commandLine.matches($0)
        }
    }

    private func indicator(_ parts: ServiceParts) -> IndicatorService {
        let isForOne = options.mode == .advisory
        let path = options.indicatorFile ?? ServicePaths.indicator(besideSocket: options.socket)
        let notifies = isForOne && parts.configuration.notifications != false
        return IndicatorService(
            board: parts.indicator, gate: parts.gate, file: isForOne ? IndicatorFile(path: path) : nil,
            notification: notifies ? BackgroundNotification() : nil, logger: parts.logger)
    }

    private func quietMoments(_ parts: ServiceParts) -> QuietMoments {
        let usesBoard = options.agent == .caller
        let board = parts.board
        return QuietMoments(gate: parts.gate, pause: .seconds(options.quietPause)) {
            // The service's own agents ask the user that it runs as.
            usesBoard ? await board.agents : [geteuid(): 1]
        }
    }
}
