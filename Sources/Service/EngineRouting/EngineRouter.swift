import Authorization
import Engines
import Speech
import Synchronization

/// Sends each request to the engine of its task (`EngineTable`).
package final class EngineRouter: Recognizer {
    /// An engine that sessions can be started with.
    struct Engine: Sendable {
        let identity: SpeechEngine
        let recognizer: any Recognizer
        let source: ServedEngine.Source
        /// Waits for what the engine declares; `nil`: that is known.
        var declared: (@Sendable () async -> EngineCapabilities?)?
    }

    private struct State {
        var table: EngineTable { didSet { main = identity(for: RecognitionConfiguration()) } }
        var engines: [String: Engine]
        /// Asked for with each status.
        private(set) var main = SpeechEngine.ofService

        init(_ table: EngineTable, _ engines: [String: Engine]) {
            (self.table, self.engines) = (table, engines)
            main = identity(for: RecognitionConfiguration())
        }

        func identity(for configuration: RecognitionConfiguration) -> SpeechEngine {
            (try? table.engine(for: configuration)).flatMap { engines[$0]?.identity } ?? .ofService
        }
    }

    private let state: Mutex<State>

    init(_ table: EngineTable, _ engines: [String: Engine]) {
        state = Mutex(State(table, engines))
    }

    var table: EngineTable { state.withLock { $0.table } }

    func replace(_ table: EngineTable, _ engines: [String: Engine]) {
        state.withLock { $0 = State(table, engines) }
    }

    func identity(of id: String) -> SpeechEngine { state.withLock { $0.engines[id]?.identity } ?? .ofService }

    /// The engine of dictations, which notices name.
    package var main: SpeechEngine { state.withLock { $0.main } }

    /// The engines that can recognise sound files, in the order of preference.
    package var enginesOfFiles: [ServedEngine] {
        let (table, engines) = state.withLock { ($0.table, $0.engines) }
        return table.engines(for: .files).compactMap { id in
            engines[id].map {
                ServedEngine(
                    source: $0.source, identity: $0.identity, languages: table.engines[id]?.capabilities.languages)
            }
        }
    }

    package func engine(for configuration: RecognitionConfiguration) -> SpeechEngine {
        state.withLock { $0.identity(for: configuration) }
    }

    package func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        let engine = try await route(configuration)
        return try await engine.recognizer.start(configuration, grant: grant)
    }

    package func checkLanguage(of configuration: RecognitionConfiguration) async throws(RecognitionError) {
        guard configuration.language != nil || !configuration.required.isEmpty else { return }
        _ = try await route(configuration)
    }

    private func route(_ configuration: RecognitionConfiguration) async throws(RecognitionError) -> Engine {
        let (id, engine) = try find(configuration)
        guard let declared = engine.declared, let capabilities = await declared() else { return engine }
        state.withLock { state in
            state.table.engines[id]?.capabilities = capabilities
            state.engines[id]?.declared = nil
        }
        return try find(configuration).1
    }

    private func find(_ configuration: RecognitionConfiguration) throws(RecognitionError) -> (String, Engine) {
        let (table, engines) = state.withLock { ($0.table, $0.engines) }
        let id = try table.engine(for: configuration)
        guard let engine = engines[id] else {
            throw RecognitionError(
                code: .workerUnavailable,
                message: "The engine \(id) is not installed. To choose another: voicegate engine use pocketsphinx")
        }
        return (id, engine)
    }
}
