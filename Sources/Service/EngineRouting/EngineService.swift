import Authorization
import Dispatch
import Engines
import LinuxSystem
import Logging
import RecognizerProcess
import Server
import SocketAPI
import Speech
import Storage

/// The engines that recognise speech: which the user chose for which task, and a pool of processes for each.
///
/// Only the engine of dictations has warm workers: others start theirs with their sessions.
package actor EngineService {
    /// Where engines come from, and how they are started.
    package struct Parts: Sendable {
        let logger: Logger
        let choices: EngineChoicesFile
        let library: EngineLibrary
        let warmWorkers: Int
        /// The folders of models that config.yaml names.
        let models: Set<String>
        let pool: Pool

        /// A pool for an engine's folder, without warm workers. `check` runs before each start of a worker; `nil`: the engine is
        /// new, and is tried.
        package typealias Pool =
            @Sendable (
                _ entry: EngineEntry, _ folder: String, _ check: (@Sendable () throws(RecognitionError) -> Void)?
            ) throws -> RecognizerPool

        package init(
            logger: Logger, choices: EngineChoicesFile, library: EngineLibrary, warmWorkers: Int,
            models: Set<String> = [], pool: @escaping Pool
        ) {
            (self.logger, self.choices, self.library) = (logger, choices, library)
            (self.warmWorkers, self.models, self.pool) = (warmWorkers, models, pool)
        }
    }

    /// PocketSphinx, that of config.yaml, or an installed one.
    package struct Engine: Sendable {
        let id: String
        var identity: SpeechEngine
        var capabilities: EngineCapabilities
        let source: ServedEngine.Source
        let pool: RecognizerPool
        /// Whether it says only in `ready` what it can do.
        var declaresItself: Bool

        package init(
            id: String, identity: SpeechEngine, capabilities: EngineCapabilities, source: ServedEngine.Source,
            pool: RecognizerPool, declaresItself: Bool = false
        ) {
            (self.id, self.identity, self.capabilities) = (id, identity, capabilities)
            (self.source, self.pool, self.declaresItself) = (source, pool, declaresItself)
        }
    }

    package nonisolated let router: EngineRouter
    nonisolated var library: EngineLibrary { parts.library }

    private let parts: Parts
    /// Those that are configured and not installed.
    private var fixed: [Engine]
    /// The engine of config.yaml, which decides over all choices.
    private let configured: String?
    /// The last one first.
    private var chosen: [EngineTask: [String]]
    /// Of the installed engines, with the digest of the engine that each was made for.
    private var pools: [String: (pool: RecognizerPool, digest: String)] = [:]
    private var ledger: (any Ledger)?
    /// Why the stored choices are not in force.
    private var choicesProblem: String?
    private var isShutDown = false
    private(set) var isChanging = false

    /// Of a task; more than there are languages with models.
    private static let mostChoices = 64

    /// Reading hundreds of megabytes would block the shared threads.
    static let queue = DispatchQueue(label: "io.voicegate.engines")

    /// - Parameters:
    ///   - fixed: PocketSphinx first.
    ///   - configured: what config.yaml names in `engine`: one of `fixed`, or `EngineTable.builtIn` with an engine outside of
    ///     the service.
    package init(_ parts: Parts, fixed: [Engine], configured: String?) {
        self.parts = parts
        self.fixed = fixed
        self.configured = configured
        router = EngineRouter(EngineTable(engines: [:]), [:])
        do {
            chosen = configured == nil ? try parts.choices.read() : [:]
        } catch {
            chosen = [:]
            choicesProblem = "\(error)"
            parts.logger.error("the choice of engines cannot be read", metadata: ["reason": "\(error)"])
        }
    }

    /// Starts the engine of dictations. Returns when it is ready.
    ///
    /// - Throws: why it is not; the pool keeps trying.
    package func prewarm() async throws {
        refresh()
        let id = engine(of: .dictation)
        guard let pool = pool(of: id) else { return }
        await warm()
        try await pool.prewarm()
        guard let capabilities = await pool.capabilities else { return }
        // The log and the notices name the engine as it names itself.
        learn(capabilities, of: id)
    }

    /// - Parameter models: the digest of each fixed engine and its model, by the engine's identifier.
    package func begin(recordingIn ledger: any Ledger, models: [String: String]) {
        self.ledger = ledger
        for index in fixed.indices { fixed[index].identity.model = models[fixed[index].id] }
        refresh()
    }

    package func shutdown() async {
        isShutDown = true
        for pool in fixed.map(\.pool) + pools.values.map(\.pool) { await pool.shutdown() }
    }

    /// The engine of requests that name no language.
    func choices() -> [EngineTask: String] {
        Dictionary(uniqueKeysWithValues: EngineTask.allCases.map { ($0, engine(of: $0)) })
    }

    func isUsed(_ id: String) -> Bool { EngineTask.allCases.contains { engine(of: $0) == id } }

    /// Chooses an engine, once it is ready, and records that.
    ///
    /// - Parameters:
    ///   - id: of an installed engine, or `EngineTable.builtIn`.
    ///   - user: who chose it.
    /// - Throws: `RouteError`, `RecognitionError` or `StorageError`; nothing has changed then.
    func use(_ id: String, for tasks: [EngineTask], by user: UInt32) async throws {
        if let configured {
            throw RouteError(
                .notAllowed,
                "engine in config.yaml decides what recognises speech (\(router.identity(of: configured).title ?? configured)). "
                    + "Remove it there, and run voicegate service restart.")
        }
        try beginChange()
        defer { isChanging = false }
        refresh()
        let table = router.table
        guard let engine = table.engines[id] else {
            throw RouteError(
                .notFound,
                "There is no engine “\(id.prefix(64))” here, only \(table.engines.keys.sorted().joined(separator: ", "))."
            )
        }
        for task in tasks {
            let need = task.need
            guard engine.capabilities.recognizes(need.task), engine.capabilities.takes(need.input) else {
                throw RouteError(.invalidValue, "\(engine.name) has no \(task.rawValue). Choose it for another task.")
            }
        }
        guard let pool = pool(of: id) else { throw RecognitionError.stopping }
        if tasks.contains(.dictation) {
            await pool.keepWarm(max(parts.warmWorkers, 1))
            do {
                try await pool.prewarm()
            } catch {
                await warm()
                throw error
            }
        }
        var next = chosen
        for task in tasks { next[task] = [id] + (next[task] ?? []).filter { $0 != id }.prefix(Self.mostChoices - 1) }
        // Recorded first: after a crash the log may name a choice too many, never one too few.
        var recorded: [EngineChange] = []
        do {
            for change in changes(tasks, to: id) {
                try await ledger?.record(
                    .engineChanged(change.tasks, from: change.from, to: change.to, user: user), changing: nil)
                recorded.append(change)
            }
            try await parts.choices.replace(next)
        } catch {
            await takeBack(recorded, of: user)
            await warm()
            throw error
        }
        chosen = next
        choicesProblem = nil
        refresh()
        await warm()
    }

    /// Installs what `voicegate engine install` has prepared (`EngineLibrary.add`).
    ///
    /// - Throws: `RouteError`, `VerifiedFolderError` or `RecognitionError`; nothing has changed then.
    func add(_ folder: String) async throws -> InstalledEngine {
        try beginChange()
        defer { isChanging = false }
        let result: Result<InstalledEngine, any Error>
        do {
            result = .success(
                try await library.add(
                    folder,
                    isUsed: { @Sendable [self] in
                        await isUsed($0) || parts.models.contains(library.folder(of: $0))
                    },
                    trial: { @Sendable [self] in try await tryOut($0, $1) }))
        } catch {
            result = .failure(error)
        }
        // Also after a failure: it may have come when the engine was at its place.
        refresh()
        await warm()
        return try result.get()
    }

    /// Removes an installed engine that is not used.
    ///
    /// - Throws: `RouteError` or `VerifiedFolderError`; nothing has changed then.
    func remove(_ id: String) async throws {
        try beginChange()
        defer { isChanging = false }
        guard !parts.models.contains(library.folder(of: id)) else {
            throw VerifiedFolderError(
                code: .inUse,
                message:
                    "config.yaml names the model \(id). Remove model there and restart the service, then remove it.")
        }
        let isUsed = isUsed(id)
        try await Self.queue.run { [library] in try library.remove(id, isUsed: isUsed) }
        refresh()
    }

    /// One change at a time: an engine that is being chosen must not be removed or replaced meanwhile.
    private func beginChange() throws(RouteError) {
        guard !isChanging else {
            throw RouteError(.busy, "Another change of engines is under way. Try again in some seconds.")
        }
        isChanging = true
    }

    /// Starts a worker with the folder of an engine, and waits until it is ready.
    private func tryOut(_ entry: EngineEntry, _ folder: String) async throws {
        let pool = try parts.pool(entry, folder, nil)
        await pool.keepWarm(1)
        do {
            try await pool.prewarm()
        } catch {
            await pool.shutdown()
            throw error
        }
        await pool.shutdown()
    }

    /// The engines in use, for `voicegate doctor`.
    package func reports() async -> [DiagnosisReply.Recognizer] {
        var reports: [DiagnosisReply.Recognizer] = []
        for id in Set(EngineTask.allCases.map { engine(of: $0) }).sorted() {
            let identity = router.identity(of: id)
            let pool = pool(of: id)
            let failure = await pool?.problem?.message ?? (pool == nil ? "It is not installed." : nil)
            let tasks = EngineTask.allCases.filter { engine(of: $0) == id }
            reports.append(
                DiagnosisReply.Recognizer(
                    id: id, name: identity.title ?? id, model: identity.model, tasks: tasks.map(\.rawValue),
                    started: await pool?.capabilities != nil,
                    problem: failure ?? (tasks.contains(.dictation) ? choicesProblem : nil)))
        }
        return reports
    }

    private func engine(of task: EngineTask) -> String { configured ?? chosen[task]?.first ?? EngineTable.builtIn }

    private func pool(of id: String) -> RecognizerPool? { fixed.first { $0.id == id }?.pool ?? pools[id]?.pool }

    /// Makes the table of what is installed and chosen now.
    private func refresh() {
        guard !isShutDown else { return }
        let installed = configured == nil ? library.installed() : []
        let digests = Dictionary(uniqueKeysWithValues: installed.map { ($0.entry.id, $0.digest) })
        // The workers of an engine that was replaced run the former one.
        for (id, former) in pools where digests[id] != former.digest {
            pools[id] = nil
            Task { await former.pool.shutdown() }
        }
        let choices = configured.map { id in Dictionary(uniqueKeysWithValues: EngineTask.allCases.map { ($0, [id]) }) }
        var table = EngineTable(
            choices: choices ?? chosen, engines: [:],
            installable: library.catalogue.installable(on: library.architecture, without: digests.keys))
        var engines: [String: EngineRouter.Engine] = [:]
        for engine in fixed + installed.compactMap(served) {
            table.engines[engine.id] = EngineTable.Engine(
                name: engine.identity.title ?? engine.id, capabilities: engine.capabilities)
            let (pool, languages) = (engine.pool, engine.capabilities.languages)
            var entry = EngineRouter.Engine(identity: engine.identity, recognizer: pool, source: engine.source)
            if engine.declaresItself { entry.declared = { await pool.declaration()?.speaking(languages) } }
            engines[engine.id] = entry
        }
        router.replace(table, engines)
    }

    /// - Returns: `nil` if it cannot be used.
    private func served(_ engine: InstalledEngine) -> Engine? {
        let entry = engine.entry
        do {
            let pool = try pools[entry.id]?.pool ?? pool(for: engine)
            pools[entry.id] = (pool, engine.digest)
            return Engine(
                id: entry.id,
                identity: SpeechEngine(name: entry.name, version: entry.version, model: engine.digest),
                capabilities: EngineCapabilities(
                    protocolVersion: EngineCapabilities.latestProtocol, name: entry.name, version: entry.version,
                    languages: entry.languages, tasks: Set(entry.tasks.compactMap(RecognitionTask.Kind.init)),
                    inputs: Set(entry.inputs.compactMap(RecognitionConfiguration.Input.init)),
                    options: entry.recognitionOptions),
                source: ServedEngine.Source(
                    id: entry.id, description: entry.description, package: entry.artefacts.first?.package,
                    folder: engine.folder, url: "file://\(engine.folder)"), pool: pool)
        } catch {
            parts.logger.error("an engine cannot be used", metadata: ["engine": "\(entry.id)", "reason": "\(error)"])
            return nil
        }
    }

    private func pool(for engine: InstalledEngine) throws -> RecognizerPool {
        try parts.pool(engine.entry, engine.folder) { [library, id = engine.entry.id] () throws(RecognitionError) in
            do throws(VerifiedFolderError) {
                _ = try library.verified(id)
            } catch {
                throw RecognitionError(code: .modelUnavailable, message: error.message)
            }
        }
    }

    private func warm() async {
        let id = engine(of: .dictation)
        let all = fixed.map { ($0.id, $0.pool) } + pools.map { ($0.key, $0.value.pool) }
        for (each, pool) in all { await pool.keepWarm(each == id ? parts.warmWorkers : 0) }
    }

    private func learn(_ capabilities: EngineCapabilities, of id: String) {
        guard let index = fixed.firstIndex(where: { $0.id == id && $0.declaresItself }) else { return }
        fixed[index].capabilities = capabilities.speaking(fixed[index].capabilities.languages)
        fixed[index].declaresItself = false
        if let name = capabilities.name { fixed[index].identity.name = name }
        fixed[index].identity.version = capabilities.version
        refresh()
    }

    private typealias EngineChange = (tasks: [EngineTask], from: SpeechEngine, to: SpeechEngine)

    /// One for each engine that is replaced.
    private func changes(_ tasks: [EngineTask], to id: String) -> [EngineChange] {
        let changed = tasks.filter { engine(of: $0) != id }
        return Dictionary(grouping: changed, by: { engine(of: $0) }).map { former, tasks in
            (tasks, router.identity(of: former), router.identity(of: id))
        }
    }

    /// Records that what was recorded did not happen.
    private func takeBack(_ changes: [EngineChange], of user: UInt32) async {
        for change in changes {
            do {
                try await ledger?.record(
                    .engineChanged(change.tasks, from: change.to, to: change.from, user: user), changing: nil)
            } catch {
                parts.logger.error(
                    "the log names an engine that is not used", metadata: ["reason": "\(error)"])
            }
        }
    }
}

extension EngineCapabilities {
    /// With the languages of config.yaml, unless the engine declares its own.
    fileprivate func speaking(_ configured: [String]?) -> EngineCapabilities {
        var capabilities = self
        capabilities.languages = languages ?? configured
        return capabilities
    }
}

extension RecognitionError {
    fileprivate static let stopping = RecognitionError(
        code: .workerUnavailable, message: "The service is being stopped.")
}
