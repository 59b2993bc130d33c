import EngineRouting
import Monitors
import PermissionRoutes
import RecognizerProcess
import RecordRoutes
import Server
import Sessions
import Speech
import SpeechRoutes

extension Composition {
    /// All routes.
    func routes(_ monitors: MonitorService, _ sharing: RecordSharing?) -> Routes {
        let routes = Routes(clients: clients, mode: options.mode)
        routes.addPermissions(
            gate: gate, prompts: board, problems: problems, recognizer: recognizer, items: items,
            clientsIn: options.clientsDirectory, builtIn: [commandLine],
            removingMonitors: { try await monitors.removeAll(of: $0, $1) })
        addSpeech(to: routes)
        routes.addRecords(
            log: log, erasure: erasure, backup: backup, witnesses: configuration.witnessPolicy?.witnesses ?? [],
            sharing: sharing, gate: gate, items: items)
        IndicatorRoutes(board: indicator).add(to: routes)
        MonitorRoutes(service: monitors, mode: options.mode) { [recognizers] in
            try await recognizers.check($0)
        }.add(to: routes)
        ServiceRoutes(
            options: options, gate: gate, problems: problems, verification: verification,
            modelFolder: models.pocketSphinx,
            engine: outside, engines: engines, limits: quotas.limits(bytesOfFile: FileSessions.largestFile),
            anchors: AnchorReport(log: log, policy: configuration.witnessPolicy, journal: journal)
        ).add(to: routes)
        return routes
    }

    private func addSpeech(to routes: Routes) {
        routes.addSpeech(
            files: files, engines: fileEngines, source: source,
            means: KeptMicrophones(items: items, modelFolder: models.used, logger: logger),
            defaults: DictationConfiguration(
                device: device,
                recognition: RecognitionConfiguration(
                    endSilence: configuration.endSilence ?? TaskHint.dictation.endSilence)))
        EngineRoutes(
            engines: engines, model: models.pocketSphinx,
            configured: configuration.engine?.command[0] ?? configuration.outsideEngine.map { "\($0)" }
        ).add(to: routes)
    }
}
