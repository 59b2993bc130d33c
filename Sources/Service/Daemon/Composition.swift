import ALSACapture
import Authorization
import Base
import Consent
import EngineRouting
import Engines
import Foundation
import Glibc
import LinuxSystem
import Logging
import PermissionRoutes
import PolicyFiles
import Prompting
import RecognizerProcess
import RecordRoutes
import Retention
import Server
import Sessions
import SocketAPI
import Speech
import SpeechRoutes
import Storage
import SystemBus
import WyomingEngine

/// The one place that knows all adapters and connects them.
struct Composition {
    let options: VoicegateDaemon
    let configuration: ConfigurationFile
    let logger: Logger
    let clock: BootClock

    let storage: SQLiteStorage
    let log: ConsentLog
    let verification: LogVerification
    let backup: LogBackup
    let journal: JournalAnchor
    let items: ItemStore
    /// `nil`: nothing can be kept.
    let keeper: SessionKeeper?

    let policies: PolicyDirectory
    /// The policy that the gate was made with.
    let policy: PolicySnapshot
    let gate: Gate
    let board: PromptBoard
    /// Who is logged in, for the presence of clients.
    let logins = LoginBook()
    let inspector: CallerInspector
    /// The manifest of VoiceGate's own command line.
    let commandLine: Manifest
    let clients: ClientResolver
    let problems: ProblemBoard

    let source: ALSAMicrophoneSource
    /// The names of the devices that do not close, whenever they change.
    let heldDevices: AsyncStream<Set<String>>
    let library: EngineLibrary
    let models: ModelFolders
    /// Of PocketSphinx, or of the engine in config.yaml.
    let recognizers: RecognizerPool
    let engines: EngineService
    let recognizer: any Recognizer
    /// The engine outside of the service that `recognizer` uses.
    let outside: OutsideEngine?
    let indicator = IndicatorBoard()
    let quotas: ServiceQuotas
    let registry: SessionRegistry
    let erasure: RecordErasure
    /// `nil`: the service has one user.
    let users: UserRegister?

    var runner: SessionRunner { SessionRunner(gate: gate, ledger: log, registry: registry) }

    var device: String { configuration.device ?? "default" }

    var fileEngines: FileEngines {
        FileEngines(own: { [router = engines.router] in router.enginesOfFiles }, outside: outside)
    }

    var files: FileSessions { FileSessions(runner: runner, recognizer: recognizer, keeper: keeper) }

    static func run(_ options: VoicegateDaemon) async throws {
        LoggingSystem.bootstrap { ServiceLog(label: $0) }
        let logger = Logger(label: "voicegated")
        try options.mode.check(options.agent)
        let configuration = try options.readConfiguration()

        // The socket's lock first: a second service must not open the state of the first.
        let sockets = try ServiceSockets(options, configuration)
        if options.mode == .enforced, let problem = sockets.http.problemOfOtherUsers { logger.warning("\(problem)") }
        let library = EngineLibrary(catalogue: try .builtIn(), stateDirectory: options.stateDirectory)
        let models = try ModelFolders(
            named: options.model ?? configuration.model, hasEngine: configuration.engine != nil, library)
        for gap in SandboxSupport.ofKernel().gaps {
            logger.warning("the sandbox is weaker", metadata: ["reason": "\(gap)"])
        }
        let recognizers = try recognizerPool(configuration, models, logger, library)
        let engines = try engineService(configuration, options, models, recognizers, logger, library)
        // Early: loading a model takes longer than everything else here.
        let warming = Task { [isNeeded = !options.listRoutes] in
            do {
                if isNeeded { try await engines.prewarm() }
            } catch {
                // Cancelled: the start has failed, and its reason follows.
                if !Task.isCancelled { logger.error("no recogniser is ready", metadata: ["reason": "\(error)"]) }
            }
        }
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await Composition(
                    options, configuration, logger, library, models, recognizers, engines
                ).serve(sockets)
            )
        } catch {
            result = .failure(error)
        }
        warming.cancel()
        await engines.shutdown()
        try result.get()
    }

    private init(
        _ options: VoicegateDaemon, _ configuration: ConfigurationFile, _ logger: Logger, _ library: EngineLibrary,
        _ models: ModelFolders, _ recognizers: RecognizerPool, _ engines: EngineService
    ) async throws {
        (self.options, self.configuration, self.logger) = (options, configuration, logger)
        (self.library, self.models, self.recognizers, self.engines) = (library, models, recognizers, engines)
        library.removeLeft()
        storage = try SQLiteStorage(directory: options.stateDirectory)
        backup = try LogBackup(storage, directory: options.stateDirectory)
        // Before the log is read: a log that cannot be continued must not keep what a killed service left.
        try await backup.removeLeft()
        let clock = try BootClock()
        self.clock = clock
        log = try await Self.openLog(storage, options, configuration) { clock.now() }
        verification = LogVerification(log: log)
        journal = JournalAnchor(log: log, minutes: configuration.journalMinutes, logger: logger)
        items = ItemStore(
            table: storage, folder: try KeptFolder(stateDirectory: options.stateDirectory), ledger: log,
            moment: { clock.now() })

        outside = try Self.outsideEngine(configuration, policyDirectory: options.policyDirectory)
        policies = PolicyDirectory(folder: options.policyDirectory)
        policy = policies.read()
        board = PromptBoard { answerer, prompt in
            answerer.mayAnswer(
                prompt, areRelated: { ProcessLineage.areRelated($0, $1) },
                runsUnder: { ProcessLineage.descends($0, fromProgram: $1) })
        }
        let agent: any Agent =
            switch options.agent {
            case .caller: board
            case .terminal: TerminalPrompt()
            case .desktop: DesktopPrompt()
            case .script(let path): try ScriptedAgent(path: path)
            }
        gate = try await Gate(
            ledger: log, agent: agent, policy: policy.policy, isVerified: false,
            configuration: Self.gateConfiguration(
                configuration, options, clock, items,
                Self.speechEngine(outside: configuration.outsideEngine, engines.router)))

        let folder = try ServiceLocations.ownFolder()
        inspector = CallerInspector(
            serving: options.mode.servedUsers, commandLine: folder + "/voicegate", logins: logins)
        commandLine = try BuiltInClients.commandLine(beside: folder, keeping: configuration.kept)
        quotas = ServiceQuotas(
            servesOneUser: options.mode == .advisory, sessions: RecognizerPool.Configuration.mostSessionsHere)
        registry = SessionRegistry(indicator: indicator, quota: quotas.sessions)
        erasure = RecordErasure(log: log, items: items) { [registry] in await registry.runningSessions }
        if options.mode == .enforced {
            let ofUsers = UserErasure(gate: gate, erasure: erasure, clientsFolder: options.clientsDirectory)
            users = try UserRegister(path: options.stateDirectory + "/users.json") { try await ofUsers.forget($0) }
        } else {
            users = nil
        }
        clients = ClientResolver(
            clients: options.mode.catalogs(in: options.clientsDirectory, builtIn: [commandLine]),
            inspector: inspector, commandLine: commandLine.identifier,
            sender: SenderProgram(beside: folder, options.mode), users: users)
        problems = ProblemBoard(clients: clients)

        await engines.begin(recordingIn: log, models: await Self.digests(configuration, models, library))
        // Not awaited: records name it as soon as it has answered.
        if let outside { Task { await outside.describe() } }
        recognizer = outside.map { EngineRecognizer(engines.router, asking: $0) } ?? engines.router
        keeper = await Self.keeper(items, logger)
        let (heldDevices, heldQueue) = AsyncStream.makeStream(
            of: Set<String>.self, bufferingPolicy: .bufferingNewest(1))
        self.heldDevices = heldDevices
        source = ALSAMicrophoneSource(
            logger: logger,
            held: HeldDevices { [indicator] devices in
                indicator.setHeld(devices)
                heldQueue.yield(devices)
            })
    }

    private func serve(_ sockets: ServiceSockets) async throws {
        let monitors = try await monitors()
        let sharing =
            options.listRoutes
            ? nil
            : await RecordSharing.begin(
                configuration.collector.map { ($0.collector, $0.url) }, recordingIn: log, growth: LogGrowth(),
                logger: logger)
        let routes = routes(monitors, sharing)
        // For a test that compares them with the description.
        guard !options.listRoutes else {
            let lines = routes.list.map { $0 + "\n" }.joined()
            return try FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
        }
        let verifying = Task { [verification, gate, problems, storage, logger] in
            await verification.run(gate: gate, logger: logger) { problems.setLogProblem($0, path: storage.path) }
        }
        let policyService = PolicyService(
            snapshots: try policies.snapshots(), initial: policy, log: log, gate: gate, problems: problems,
            logger: logger)
        await policyService.begin()
        let absences = absences()
        await absences.begin()
        // Most logs are verified by then, without a noticeable delay; a large one must not delay the service.
        await verification.settles(within: .milliseconds(100))
        do {
            try await serviceGroup(sockets, routes, monitors, policyService, absences, sharing?.growth).run()
        } catch {
            throw ServiceEnded(reason: error)
        }
        verifying.cancel()
        await verifying.value
        await log.recordCountedRefusals()
        // Of what was recorded while the services ended.
        _ = try? await log.signedCheckpoint()
        try storage.close()
    }

    private static func openLog(
        _ storage: SQLiteStorage, _ options: VoicegateDaemon, _ configuration: ConfigurationFile,
        now: @escaping @Sendable () -> Moment
    ) async throws -> ConsentLog {
        let log = try await ConsentLog.open(
            storage: storage,
            context: RecordContext(
                controller: configuration.controller, jurisdiction: configuration.jurisdiction), quota: RecordQuota(),
            now: now)
        do {
            try await log.beginSigning(
                with: try CheckpointFiles(directory: options.stateDirectory), allowing: options.allowedStart)
        } catch let error as ConsentError {
            throw error.withCommand
        }
        return log
    }

    /// Erases what expired while no service ran. If that fails, nothing new is kept.
    private static func keeper(_ items: ItemStore, _ logger: Logger) async -> SessionKeeper? {
        do {
            try await items.sweep()
            return SessionKeeper(items: items, logger: logger)
        } catch {
            logger.critical("nothing can be kept", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private static func gateConfiguration(
        _ file: ConfigurationFile, _ options: VoicegateDaemon, _ clock: BootClock, _ items: ItemStore,
        _ engine: @escaping @Sendable () -> SpeechEngine
    ) -> GateConfiguration {
        var configuration = GateConfiguration()
        configuration.now = { clock.now() }
        configuration.onceOutOfUse = Int64(options.onceInBackground * 1000)
        configuration.eraseKept = { await items.withdraw($0) }
        configuration.currentEngine = engine
        configuration.collector = file.collector?.collector
        if let days = file.unusedDays { configuration.expiry = GrantExpiry(unusedDays: days) }
        if let days = file.reviewDays { configuration.reviewInterval = Int64(days) * 86_400_000 }
        if let seconds = options.reviewAfter { configuration.reviewInterval = Int64(seconds * 1000) }
        if let seconds = options.agentTimeout { configuration.agentTimeout = .seconds(seconds) }
        if let seconds = file.answerTimeout { configuration.answerTimeout = .seconds(seconds) }
        return configuration
    }
}
