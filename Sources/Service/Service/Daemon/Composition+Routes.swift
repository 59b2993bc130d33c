import Foundation
import Hummingbird
import RecognizerProcess
import SocketAPI
import Speech

extension Composition {
    /// All routes, without the answers to other methods.
    func router(_ parts: ServiceParts, _ monitors: MonitorService) throws -> (Router<ServiceContext>, Routes) {
        let router = Router(context: ServiceContext.self)
        router.add(middleware: ErrorMiddleware())
        let routes = Routes(router, clients: parts.clients, confirmation: options.mode.confirmation)
        addPermissions(to: routes, parts)
        try addSpeech(to: routes, parts)
        addRecords(to: routes, parts)
        addService(to: routes, parts, monitors)
        return (router, routes)
    }

    /// Prints each route and who may call it (`--list-routes`), for a test that compares it with the description.
    func list(_ router: Router<ServiceContext>, _ routes: Routes) throws {
        let lines = router.routes.map { route in
            let name = "\(route.method) \(route.path)"
            return ([name] + (routes.declared[name] ?? [])).joined(separator: " ") + "\n"
        }.sorted().joined()
        try FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
    }

    private func addPermissions(to routes: Routes, _ parts: ServiceParts) {
        let (clients, gate) = (parts.clients, parts.gate)
        AuthorizationRoutes(gate: gate, problems: parts.problems).add(to: routes)
        MuteRoutes(gate: gate, log: parts.log, mode: options.mode).add(to: routes)
        PromptRoutes(board: parts.board, confirmation: options.mode.confirmation).add(to: routes)
        SettingsRoutes(
            clients: clients, gate: gate,
            overview: SettingsOverview(clients: clients, gate: gate, problems: parts.problems), items: parts.items,
            mode: options.mode
        ).add(to: routes)
        ClientRoutes(
            mode: options.mode, folder: options.clientsDirectory, builtIn: [parts.commandLine]
        ).add(to: routes)
    }

    private func addSpeech(to routes: Routes, _ parts: ServiceParts) throws {
        let (clients, library, model) = (parts.clients, parts.library, parts.model)
        let isOurEngine = parts.configuration.engine == nil
        DictationRoutes(
            clients: clients, runner: parts.runner, source: parts.source, recognizer: parts.recognizer,
            defaults: DictationConfiguration(device: parts.device, endSilence: parts.configuration.endSilence),
            keeper: parts.keeper,
            means: KeptMicrophones(
                items: parts.items, model: { ModelIdentity.ofMeans(in: model) }, logger: parts.logger)
        ).add(to: routes)
        let served = ServedModel(library, folder: model, isOurEngine: isOurEngine)
        TranscriptionRoutes(sessions: parts.files, openAI: OpenAITranscriptions(sessions: parts.files, model: served))
            .add(to: routes)
        OpenAIModelRoutes(model: served).add(to: routes)
        VoiceRoutes(
            clients: clients, runner: parts.runner, source: parts.source, recognizer: parts.recognizers,
            device: parts.device,
            work: EnrolmentWork(
                learner: VoiceLearner(
                    executable: try ServiceLocations.path(of: .recognizer), modelFolder: model,
                    checkModel: { () throws(RecognitionError) in try library.checkForRecognizer(model) },
                    logger: parts.logger
                ),
                profiles: parts.profiles), canKeep: parts.keeper != nil, isOurEngine: isOurEngine
        ).add(to: routes)
        ModelRoutes(library: library, used: model, mode: options.mode) { [logger = parts.logger] in
            try await Self.tryModel($0, logger)
        }.add(to: routes)
    }

    private func addRecords(to routes: Routes, _ parts: ServiceParts) {
        let (clients, log) = (parts.clients, parts.log)
        let access = AuditAccess(mode: options.mode)
        AuditRoutes(log: log, access: access).add(to: routes)
        ErasureRoutes(log: log, registry: parts.registry, items: parts.items).add(to: routes)
        CheckpointRoutes(
            log: log, witnesses: parts.configuration.witnessKeys, mode: options.mode
        ).add(to: routes)
        ExportRoutes(log: log, access: access).add(to: routes)
        BackupRoutes(log: log, backup: parts.backup, mode: options.mode).add(to: routes)
        HistoryRoutes(clients: clients, gate: parts.gate, items: parts.items).add(to: routes)
    }

    private func addService(
        to routes: Routes, _ parts: ServiceParts, _ monitors: MonitorService
    ) {
        let clients = parts.clients
        HealthRoutes(gate: parts.gate, mode: options.mode).add(to: routes)
        DescriptionRoutes().add(to: routes)
        IndicatorRoutes(board: parts.indicator).add(to: routes)
        MonitorRoutes(clients: clients, service: monitors, mode: options.mode) { [recognizers = parts.recognizers] in
            try await recognizers.check($0)
        }.add(to: routes)
        DiagnosisRoutes(
            problems: parts.problems, stateDirectory: options.stateDirectory,
            clientsDirectory: options.clientsDirectory, policyDirectory: options.policyDirectory, agent: options.agent,
            modelFolder: parts.model, engine: parts.outside
        ).add(to: routes)
    }
}
