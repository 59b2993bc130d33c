import Foundation
import Glibc
import Monitors
import NIOCore
import NIOPosix
import PermissionRoutes
import RecordRoutes
import Server
import ServiceLifecycle
import Sessions
import SocketAPI
import SpeechRoutes
import SystemBus

extension Composition {
    func serviceGroup(
        _ sockets: ServiceSockets, _ routes: Routes, _ monitors: MonitorService, _ policy: PolicyService,
        _ absences: AbsenceService, _ growth: LogGrowth?
    ) -> ServiceGroup {
        let processes = ProcessWatch(
            quotas.watches, concerned: { [gate] in await gate.concernedProcesses },
            onEnd: { [gate] process in Task { await gate.processEnded(process) } })
        let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: absences), .init(service: policy), .init(service: ExpiryService(gate: gate, log: log)),
            .init(service: RetentionService(items: items, logger: logger)),
            .init(service: monitors),
            .init(service: CheckpointService(log: log, logger: logger, growth: growth)),
            .init(service: journal),
            .init(service: indicatorService()), .init(service: quietMoments()),
            .init(
                service: HeldDeviceWatch(states: heldDevices, logger: logger),
                failureTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: OnceWatch(gate: gate, processes: processes, pause: .seconds(options.onceInBackground / 10))),
            .init(service: wyoming(sockets, processes)),
            .init(service: watchdog()),
            .init(
                service: server(sockets.http, routes, processes),
                successTerminationBehavior: .gracefullyShutdownGroup),
        ]
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    }

    func absences() -> AbsenceService {
        // The service that serves all users cannot reach their session buses.
        let screenSavers = options.mode == .advisory ? MessageBus(.session).map(ScreenSaverWatch.init) : nil
        return AbsenceService(
            AbsenceService.Parts(
                logins: LoginWatch(), book: logins, screenSavers: screenSavers, user: geteuid(), gate: gate,
                registry: registry, logger: logger))
    }

    func monitors() async throws -> MonitorService {
        try await MonitorService(
            MonitorService.Parts(
                device: device, clients: clients, runner: runner, log: log, source: source, recognizer: recognizers,
                act: MonitorAct(socket: options.socket, environment: ProcessInfo.processInfo.environment),
                logger: logger, now: { [clock] in clock.now() }))
    }

    private func server(
        _ socket: ListeningSocket, _ routes: Routes, _ processes: ProcessWatch
    ) -> some Service {
        let ready = options.readyFileDescriptor
        // The recognisers must not inherit it.
        if let ready { _ = fcntl(ready, F_SETFD, FD_CLOEXEC) }
        return SocketServer(
            socket: socket, routes: routes, admission: admission(processes),
            idle: TimeAmount(.seconds(options.idleTimeout)), pause: TimeAmount(.seconds(options.bodyTimeout)),
            onListening: { [logger] in
                logger.info("listening", metadata: ["socket": "\(socket.path)"])
                ServiceManager.ofProcess.send(.ready)
                // One line, then the end of the descriptor; an end without the line means that the service could not start.
                guard let ready else { return }
                _ = write(ready, "ready\n", 6)
                close(ready)
            },
            onStopping: { [registry] in await registry.stopAll() })
    }

    private func wyoming(_ sockets: ServiceSockets, _ processes: ProcessWatch) -> WyomingServer {
        WyomingServer(
            socket: sockets.wyoming, loopback: sockets.loopback, clients: clients, sessions: files,
            engines: fileEngines, timeout: .seconds(options.wyomingPatience), admission: admission(processes))
    }

    /// For one server; each counts its own connections.
    private func admission(_ processes: ProcessWatch) -> Admission {
        Admission(
            inspector: inspector, processes: processes, quotas: quotas, logger: logger, commandLine: commandLine)
    }

    /// The gate decides everything, and a connection waits for its event loop.
    private func watchdog() -> Watchdog {
        Watchdog(manager: .ofProcess) { [gate] in
            _ = await gate.concernedProcesses
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
        }
    }

    private func indicatorService() -> IndicatorService {
        let isForOne = options.mode == .advisory
        let path = options.indicatorFile ?? ServicePaths.indicator(besideSocket: options.socket)
        let notifies = isForOne && configuration.notifications != false
        return IndicatorService(
            board: indicator, gate: gate, file: isForOne ? path : nil, notifies: notifies, logger: logger)
    }

    private func quietMoments() -> QuietMoments {
        QuietMoments(
            gate: gate, pause: .seconds(options.quietPause),
            registered: { [clients] in await clients.registered($0, user: $1)?.requester },
            agents: { [board, agent = options.agent] in
                // The service's own agents ask the user that it runs as.
                agent == .caller ? await board.agents : [geteuid(): 1]
            })
    }
}
