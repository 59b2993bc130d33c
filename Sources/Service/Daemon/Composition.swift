import ALSACapture
import Authorization
import Capture
import Consent
import Dictation
import Foundation
import Glibc
import Hummingbird
import KeptFiles
import LinuxProcesses
import Logging
import PolicyFiles
import Prompting
import Recognition
import RecognizerProcess
import Retention
import SQLiteStorage
import ServiceLifecycle
import SocketAPI
import SpeechModels
import WyomingEngine

/// The one place that sees all adapters and puts them together.
struct Composition {
    let options: VoicegateDaemon

    func run() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "voicegated")
        try options.mode.check(options.agent)
        let configuration = try ConfigurationFile.read(
            options.configurationFile ?? ServicePaths().configurationDirectory + "/config.yaml",
            mustExist: options.configurationFile != nil)

        // The socket's lock first: a second service must not touch the state of the first.
        let socket = try ListeningSocket(
            path: options.socket, activated: ActivatedSockets.ofProcess, state: options.stateDirectory)
        let wyomingSocket = try ListeningSocket.further(
            path: ServicePaths.wyoming(besideSocket: options.socket), activated: ActivatedSockets.ofProcess,
            state: options.stateDirectory)
        let loopback = try configuration.wyoming?.tcp.map { text throws(ServiceError) in try LoopbackSocket(text) }
        let storage = try SQLiteStorage(directory: options.stateDirectory)
        let clock = try BootClock()
        let log = try await ConsentLog.open(
            storage: storage,
            context: RecordContext(
                controller: configuration.controller?.value, jurisdiction: configuration.jurisdiction),
            now: { clock.now() })

        try await log.beginSigning(
            with: try CheckpointFiles(directory: options.stateDirectory, replacesLostKey: options.replaceLostKey),
            acceptsRestored: options.acceptRestoredLog)

        // A log that was altered may hold a yes that nobody gave. It is still served, so that it can be looked at.
        let report = try await log.verify()
        if let problem = report.problem {
            logger.critical(
                "the consent log does not verify; every permission has to be given anew",
                metadata: ["problem": "\(problem.message)"])
        }

        try await recordRecovery(of: log)
        let backup = try LogBackup(storage, directory: options.stateDirectory)
        // What a service left that was killed meanwhile.
        try await backup.remove()
        let items = ItemStore(
            table: storage, folder: try KeptFileFolder(stateDirectory: options.stateDirectory), ledger: log,
            moment: { clock.now() })
        let keeper = await keeper(items, logger)

        let outside = try outsideEngine(configuration)
        let policies = PolicyDirectory(folder: options.policyDirectory)
        let policy = policies.read()
        let board = PromptBoard(mayAnswer: PromptRoutes.mayAnswer)
        let gate = try await Gate(
            ledger: WithdrawingLedger(log, items: items), agent: try agent(board), policy: policy.policy,
            trustsYeses: report.isIntact, configuration: gateConfiguration(configuration, clock))

        let folder = try ServiceLocations.ownFolder()
        let inspector = CallerInspector(serving: options.mode.servedUsers, commandLine: folder + "/voicegate")
        let commandLine = try BuiltInClients.commandLine(beside: folder, keeping: configuration.kept)
        let clients = ClientResolver(
            clients: options.mode.catalogs(in: options.clientsDirectory, builtIn: [commandLine]),
            inspector: inspector, commandLine: commandLine.identifier)
        let problems = ProblemBoard(clients: clients)
        if let problem = report.problem { problems.setLogProblem(problem.message, path: storage.path) }

        let source = ALSAMicrophoneSource(logger: logger)
        let library = ModelLibrary(catalogue: try ModelCatalogue.builtIn(), stateDirectory: options.stateDirectory)
        let named = options.model ?? configuration.model ?? RecognizerPool.Configuration.defaultModelFolder
        let model = configuration.engine == nil ? try library.folder(of: named) : named
        let recognizers = try recognizerPool(configuration, model, logger, library)
        let profiles = VoiceProfiles(items: items) { ModelIdentity.ofMeans(in: model) }
        let own = AdaptingRecognizer(recognizer: recognizers, profiles: profiles)
        let adapting: any Recognizer = outside.map { EngineRecognizer(own, asking: $0) } ?? own
        let indicator = IndicatorBoard()
        let registry = SessionRegistry(indicator: indicator)

        let router = Router(context: ServiceContext.self)
        router.add(middleware: LanguageMiddleware())
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: ConfirmationMiddleware(clients: clients, confirmation: options.mode.confirmation))
        let routes = router.group("v1")
        HealthRoutes(gate: gate, mode: options.mode.health).add(to: routes)
        AuthorizationRoutes(clients: clients, gate: gate, problems: problems).add(to: routes)
        MuteRoutes(clients: clients, gate: gate, log: log, mode: options.mode).add(to: routes)
        PromptRoutes(clients: clients, board: board, confirmation: options.mode.confirmation).add(to: routes)
        SettingsRoutes(
            clients: clients, gate: gate,
            overview: SettingsOverview(clients: clients, gate: gate, problems: problems), items: items,
            mode: options.mode
        ).add(to: routes)
        DictationRoutes(
            clients: clients, gate: gate, ledger: log, source: source, recognizer: adapting, registry: registry,
            defaults: DictationConfiguration(
                device: configuration.device ?? "default", endSilence: configuration.endSilence), keeper: keeper,
            means: KeptMicrophones(items: items, model: { ModelIdentity.ofMeans(in: model) }, logger: logger)
        ).add(to: routes)
        let served = ServedModel(library, folder: model, isOurEngine: configuration.engine == nil)
        let files = FileSessions(
            clients: clients, gate: gate, ledger: log, recognizer: adapting, registry: registry, keeper: keeper)
        TranscriptionRoutes(sessions: files, openAI: OpenAITranscriptions(sessions: files, model: served))
            .add(to: routes)
        OpenAIModelRoutes(clients: clients, model: served).add(to: routes)
        VoiceRoutes(
            clients: clients, gate: gate, ledger: log, source: source, recognizer: recognizers, registry: registry,
            device: configuration.device ?? "default",
            work: EnrolmentWork(
                learner: VoiceLearner(
                    executable: try ServiceLocations.path(of: .recognizer), modelFolder: model,
                    checkModel: { () throws(RecognitionError) in try library.checkForRecognizer(model) }, logger: logger
                ),
                profiles: profiles), canKeep: keeper != nil, isOurEngine: configuration.engine == nil
        ).add(to: routes)
        HistoryRoutes(clients: clients, gate: gate, items: items).add(to: routes)
        ClientRoutes(clients: clients, mode: options.mode, folder: options.clientsDirectory, builtIn: [commandLine])
            .add(to: routes)
        DeviceRoutes(clients: clients, source: source).add(to: routes)
        IndicatorRoutes(clients: clients, board: indicator).add(to: routes)
        let access = AuditAccess(clients: clients, mode: options.mode)
        AuditRoutes(clients: clients, log: log, access: access).add(to: routes)
        ErasureRoutes(clients: clients, log: log, registry: registry, items: items).add(to: routes)
        CheckpointRoutes(clients: clients, log: log, witnesses: configuration.witnessKeys, mode: options.mode).add(
            to: routes)
        ExportRoutes(clients: clients, log: log, access: access).add(to: routes)
        BackupRoutes(clients: clients, log: log, backup: backup, mode: options.mode).add(to: routes)
        DiagnosisRoutes(
            clients: clients, problems: problems, stateDirectory: options.stateDirectory,
            clientsDirectory: options.clientsDirectory, policyDirectory: options.policyDirectory, agent: options.agent,
            modelFolder: model, engine: outside
        ).add(to: routes)
        ModelRoutes(clients: clients, library: library, used: model, mode: options.mode) { folder in
            try await Self.tryModel(folder, logger)
        }.add(to: routes)
        let monitors = try await MonitorService(
            MonitorService.Parts(
                device: configuration.device ?? "default", clients: clients, gate: gate, log: log, source: source,
                recognizer: recognizers, registry: registry,
                act: MonitorAct(socket: options.socket, environment: ProcessInfo.processInfo.environment),
                logger: logger))
        MonitorRoutes(clients: clients, service: monitors, mode: options.mode) { try await recognizers.check($0) }.add(
            to: routes)

        DescriptionRoutes().add(to: routes)
        if options.listRoutes {
            let lines = router.routes.map { "\($0.method) \($0.path)\n" }.sorted().joined()
            return try FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
        }
        OtherMethods.add(to: router)

        let ready = ReadyDescriptor(options.readyFileDescriptor)
        let processes = ProcessWatch { process in Task { await gate.processEnded(process) } }
        let server = SocketServer(
            socket: socket, responder: router.buildResponder(), inspector: inspector, processes: processes,
            logger: logger,
            isCommandLine: { commandLine.speaks(for: $0) },
            onListening: {
                logger.info("listening", metadata: ["socket": "\(socket.path)"])
                ready.tell()
            },
            onStopping: { await registry.stopAll() })
        let wyoming = WyomingServer(
            socket: wyomingSocket, loopback: loopback,
            door: WyomingDoor(
                clients: clients, sessions: files,
                speech: WyomingSpeech(
                    modelFolder: model, language: configuration.wyoming?.language, catalogue: library.catalogue),
                patience: WyomingPatience(event: .seconds(options.wyomingPatience))),
            inspector: inspector, processes: processes, logger: logger,
            isCommandLine: { commandLine.speaks(for: $0) })
        let policyService = PolicyService(
            snapshots: try policies.snapshots(), initial: policy, log: log, gate: gate, problems: problems,
            logger: logger)
        await policyService.begin()
        let isForOne = options.mode == .advisory
        let indicatorPath = options.indicatorFile ?? ServicePaths.indicator(besideSocket: options.socket)
        let indicatorService = IndicatorService(
            board: indicator, gate: gate, file: isForOne ? IndicatorFile(path: indicatorPath) : nil,
            notification: isForOne && configuration.notifications != false ? BackgroundNotification() : nil,
            logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: policyService), .init(service: ExpiryService(gate: gate)),
                    .init(service: RetentionService(items: items, logger: logger)),
                    .init(service: monitors), .init(service: CheckpointService(log: log, logger: logger)),
                    .init(service: indicatorService), .init(service: quietMoments(gate, board)),
                    .init(service: wyoming),
                    .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
                ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        // Warm before they are needed, without holding up those who only ask how they stand.
        let warming = Task {
            do {
                try await recognizers.prewarm()
            } catch {
                logger.error("no recogniser is ready", metadata: ["reason": "\(error)"])
            }
        }
        try await group.run()
        warming.cancel()
        await recognizers.shutdown()
        try storage.close()
    }

    /// Sessions of a service that ended without them have no end in the log; said before anything new happens. A log that
    /// cannot be read is told of above.
    private func recordRecovery(of log: ConsentLog) async throws {
        guard let sessions = try? await log.recollection().openSessions, !sessions.isEmpty else { return }
        try await log.record(.recovered(Recovery(reason: .restarted, sessions: sessions)), changing: nil)
    }

    private func quietMoments(_ gate: Gate, _ board: PromptBoard) -> QuietMoments {
        let usesBoard = options.agent == .caller
        return QuietMoments(gate: gate, pause: .seconds(options.quietPause)) {
            // The service's own agents answer for the user that it runs as.
            usesBoard ? await board.agents : [geteuid(): 1]
        }
    }

    private func agent(_ board: PromptBoard) throws -> any Agent {
        switch options.agent {
        case .caller: board
        case .terminal: TerminalAgent()
        case .desktop: DesktopAgent()
        case .script(let path): try ScriptedAgent(path: path)
        }
    }

    /// Makes up for what ended while no service ran. Where that fails nothing new is kept.
    private func keeper(_ items: ItemStore, _ logger: Logger) async -> SessionKeeper? {
        do {
            try await items.recover()
            return SessionKeeper(items: items, logger: logger)
        } catch {
            logger.critical("nothing can be kept", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func gateConfiguration(_ file: ConfigurationFile, _ clock: BootClock) -> GateConfiguration {
        var configuration = GateConfiguration()
        configuration.moment = { clock.now() }
        if let engine = file.outsideEngine { configuration.engine = .outside(name: "\(engine)") }
        if let days = file.unusedDays { configuration.expiry = GrantExpiry(unusedDays: days) }
        if let days = file.reviewDays { configuration.reviewInterval = Int64(days) * 86_400_000 }
        if let seconds = file.answerTimeout { configuration.answerTimeout = .seconds(seconds) }
        return configuration
    }
}
