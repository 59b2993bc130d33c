import Foundation
import Hummingbird
import RecognizerProcess
import Speech

extension Composition {
    /// All routes, without the answers to other methods.
    func router(_ monitors: MonitorService, _ sharing: RecordSharing?) throws -> (Router<ServiceContext>, Routes) {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ErrorMiddleware())
        let routes = Routes(router, clients: clients, mode: options.mode)
        addPermissions(to: routes, monitors)
        addSpeech(to: routes)
        addRecords(to: routes, sharing)
        addService(to: routes, monitors)
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

    private func addPermissions(to routes: Routes, _ monitors: MonitorService) {
        AuthorizationRoutes(gate: gate, problems: problems, recognizer: recognizer).add(to: routes)
        MuteRoutes(gate: gate, mode: options.mode).add(to: routes)
        PromptRoutes(board: board, confirmation: options.mode.confirmation).add(to: routes)
        let settings = SettingsRoutes(
            clients: clients, gate: gate, problems: problems, items: items, mode: options.mode)
        settings.add(to: routes)
        ClientRoutes(
            mode: options.mode, folder: options.clientsDirectory, builtIn: [commandLine], settings: settings,
            monitors: monitors
        ).add(to: routes)
        UserRoutes(register: users).add(to: routes)
    }

    private func addSpeech(to routes: Routes) {
        DictationRoutes(
            runner: runner, source: source, recognizer: recognizer,
            defaults: DictationConfiguration(
                device: device,
                recognition: RecognitionConfiguration(
                    endSilence: configuration.endSilence ?? TaskHint.dictation.endSilence)), keeper: keeper,
            means: KeptMicrophones(items: items, modelFolder: models.used, logger: logger)
        ).add(to: routes)
        TranscriptionRoutes(sessions: files, models: ServedModels(engines: fileEngines)).add(to: routes)
        EngineRoutes(
            engines: engines, model: models.pocketSphinx,
            configured: configuration.engine?.command[0] ?? configuration.outsideEngine.map { "\($0)" }
        ).add(to: routes)
    }

    private func addRecords(to routes: Routes, _ sharing: RecordSharing?) {
        let access = AuditAccess(mode: options.mode)
        AuditRoutes(log: log, access: access).add(to: routes)
        ErasureRoutes(log: log, registry: registry, items: items).add(to: routes)
        CheckpointRoutes(log: log, witnesses: configuration.witnessPolicy?.witnesses ?? []).add(to: routes)
        ExportRoutes(log: log, access: access).add(to: routes)
        BackupRoutes(log: log, backup: backup).add(to: routes)
        CollectorRoutes(log: log, sharing: sharing).add(to: routes)
        HistoryRoutes(gate: gate, items: items).add(to: routes)
    }

    private func addService(to routes: Routes, _ monitors: MonitorService) {
        IndicatorRoutes(board: indicator).add(to: routes)
        MonitorRoutes(service: monitors, mode: options.mode) { [recognizers] in
            try await recognizers.check($0)
        }.add(to: routes)
        ServiceRoutes(
            options: options, gate: gate, problems: problems, verification: verification,
            modelFolder: models.pocketSphinx,
            engine: outside, engines: engines, limits: quotas.limits,
            anchors: AnchorReport(log: log, policy: configuration.witnessPolicy, journal: journal)
        ).add(to: routes)
    }
}
