import Authorization
import CLinux
import Foundation
import Logging
import RecognizerProtocol
import Speech

/// Recognisers, each a separate process that serves one session and exits. Some are kept warm. If a worker dies, hangs or
/// breaks the protocol, only its session fails.
public actor RecognizerPool: Recognizer {
    /// Bytes of unread requests before `accept` waits: eight seconds of audio.
    static let mostBacklog = 262_144

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private(set) var configuration: Configuration
    let logger: Logger
    let executor: PollingExecutor

    var workers: [Int: WorkerProcess] = [:]
    var waiting: [CheckedContinuation<Result<Int, RecognitionError>, Never>] = []
    var backOff: BackOff
    var isShutDown = false
    var watchdog: Task<Void, Never>?
    var retry: Task<Void, Never>?
    var ended: [CheckedContinuation<Void, Never>] = []
    /// What the last worker declared that became ready; `nil`: none has.
    public internal(set) var capabilities: EngineCapabilities?
    private(set) var lastIdentifier = 0

    /// Starts no worker; see `prewarm()`.
    ///
    /// - Throws: `workerUnavailable` if the process has no descriptors left.
    public init(_ configuration: Configuration, logger: Logger) throws(RecognitionError) {
        guard let executor = PollingExecutor(name: "recognizers") else {
            throw RecognitionError(
                code: .workerUnavailable, message: "The service has no descriptors left; raise its limit.")
        }
        self.configuration = configuration
        self.logger = logger
        self.executor = executor
        self.backOff = BackOff(longest: configuration.longestBackOff)
    }

    deinit {
        watchdog?.cancel()
        retry?.cancel()
        executor.stop()
    }

    /// Starts the warm workers and returns when one is ready; at once if none is to be kept.
    ///
    /// - Throws: why none is ready; the pool keeps trying.
    public func prewarm() async throws(RecognitionError) {
        guard configuration.warmWorkers > 0, case .failure(let error) = await warmWorker(taking: false) else { return }
        throw error
    }

    /// Ends all workers and sessions for good, and returns when the workers have exited.
    public func shutdown() async {
        isShutDown = true
        retry?.cancel()
        watchdog?.cancel()
        let error = RecognitionError(code: .workerUnavailable, message: "The service is being stopped.")
        for worker in workers.values { retire(worker, failing: error) }
        failWaiting(error)
        guard !workers.isEmpty else { return }
        await withCheckedContinuation { ended.append($0) }
    }

    public nonisolated func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        try await begin(configuration, lease: grant.lease)
    }

    /// Keeps another number of warm workers from now on. Sessions are not affected.
    public func keepWarm(_ count: Int) {
        let count = min(count, configuration.mostWarmWorkers)
        configuration.warmWorkers = count
        var surplus = workers.values.filter { if case .warm = $0.state { true } else { false } }.dropFirst(count)
        while let worker = surplus.popFirst() { retire(worker, failing: nil) }
        refill()
    }

    /// What the engine declares; `nil` if it cannot be started.
    public func declaration() async -> EngineCapabilities? {
        if capabilities == nil { _ = await warmWorker(taking: false) }
        return capabilities
    }

    /// Why no worker is ready; `nil` if one was since, or none was needed.
    public var problem: RecognitionError? { backOff.lastError }

    /// - Throws: `phraseRefused` if a phrase cannot be recognised; `modelUnavailable`.
    public func check(_ phrases: [String]) async throws(RecognitionError) { _ = try await phraseBook(of: phrases) }

    private func phraseBook(of phrases: [String]) async throws(RecognitionError) -> PhraseBook {
        let book = try PhraseBook(phrases)
        try await check(Array(book.spoken.joined()), PhraseBook.unknown)
        return book
    }

    private func check(
        _ words: [String], _ refusal: @Sendable (String) -> RecognitionError
    ) async throws(RecognitionError) {
        guard configuration.hasDictionary, let folder = configuration.modelFolder else { return }
        try await ModelDictionary(folder: folder).check(words, refusal)
    }

    private func begin(
        _ configuration: RecognitionConfiguration, lease: Lease
    ) async throws(RecognitionError) -> any RecognitionSession {
        guard serving < self.configuration.mostSessions else {
            throw RecognitionError(
                code: .busy,
                message:
                    "\(self.configuration.mostSessions) sessions run already, the most for this machine. "
                    + "Try again when one has ended.")
        }
        var book: PhraseBook?
        if let phrases = configuration.task.phrases { book = try await phraseBook(of: phrases) }
        if let text = configuration.task.grammar {
            try await check(try Grammar(text).words.sorted(), Grammar.unknown)
        }
        let identifier: Int
        if self.configuration.hasFileDecoders, configuration.input == .file, configuration.task == .dictation {
            identifier = try startFileWorker()
        } else {
            switch await warmWorker(taking: true) {
            case .success(let found): identifier = found
            case .failure(let error): throw error
            }
        }
        guard let worker = workers[identifier], case .serving(let session) = worker.state else {
            throw RecognitionError(
                code: .workerDied, message: "The recogniser exited before the session began. Try again.")
        }
        session.adopt(configuration, book: book, lease: lease)
        let queue = session.queue
        lease.onEnd { [weak self] _ in
            // Unread words are dropped at once, on the thread that ended the permission.
            queue.replace(.failed(Self.permissionEnded))
            Task { await self?.cancel(identifier) }
        }
        guard lease.isLive else {
            retire(worker, failing: nil)
            throw Self.permissionEnded
        }
        send(.start(configuration), to: worker)
        refill()
        return WorkerSession(pool: self, worker: identifier, queue: queue)
    }

    func nextIdentifier() -> Int {
        lastIdentifier += 1
        return lastIdentifier
    }

    private var serving: Int {
        workers.values.count { if case .serving = $0.state { true } else { false } }
    }

    static let permissionEnded = RecognitionError(
        code: .permissionEnded, message: "The permission for speech recognition ended.")
}

extension RecognizerPool {
    public struct Configuration: Sendable {
        /// Where Debian's package `pocketsphinx-en-us` puts its model.
        public static let defaultModelFolder = "/usr/share/pocketsphinx/model/en-us"

        /// The path of `voicegate-recognizer`.
        public var executable: String
        /// Before `--model FOLDER`.
        public var arguments: [String] = []
        /// `nil`: the program gets no `--model`.
        public var modelFolder: String?
        /// Throws if the model may not be loaded; called before each start of a worker, on the pool's thread.
        public var checkModel: @Sendable () throws(RecognitionError) -> Void = {}
        /// Whether workers check the model before they load it: for a new model.
        public var inspectsModel = false
        /// Whether the model has a dictionary (`*.dict`), which phrases and grammars are checked with.
        public var hasDictionary = true
        /// Whether the program takes `--file-decoders`.
        public var hasFileDecoders = true

        /// Sessions with speech that a processor decodes in real time; see Benchmarks.
        public static let sessionsOfProcessor = 4
        /// As many as the processors can decode, and as half of the memory has room for; systemd's unit gives the service three
        /// quarters of it.
        ///
        /// - Parameter memory: of a recogniser at work, in bytes; more than 0.
        private static func sessionsHere(memory: UInt64) -> Int {
            max(
                1,
                min(
                    sessionsOfProcessor * ProcessInfo.processInfo.activeProcessorCount,
                    Int(ProcessInfo.processInfo.physicalMemory / 2 / memory)))
        }

        public static let mostSessionsHere = sessionsHere(memory: memoryOfWorker)
        /// Of a recogniser at work, in bytes.
        private static let memoryOfWorker: UInt64 = 100_000_000

        /// Idle workers with a loaded model, about 100 MB each. With 0 each session loads its own, in about half a second.
        public var warmWorkers = Configuration.usualWarmWorkers
        public static let usualWarmWorkers = 2
        /// Of a program that needs much memory fewer wait than are asked for.
        public var mostWarmWorkers = Int.max
        /// Bytes of idle workers of an engine that declares its memory; one may wait in any case.
        private static let warmMemory: UInt64 = 400_000_000
        /// Concurrent sessions; one more is refused, because all would fall behind.
        public var mostSessions = Configuration.mostSessionsHere
        /// Decoders for sound files, about 100 MB each: the first file gets all, a further one a part of them.
        public var fileDecoders = Int(vg_worker_processors())
        /// Whether live sessions have priority over sound files.
        public var filesGiveWay = true
        /// How long loading the model may take.
        public var startTimeout = Duration.seconds(30)
        /// How long a worker may take to reply.
        public var answerTimeout = Duration.seconds(30)
        /// The time from an utterance's beginning to its final text.
        public var utteranceTimeout = Duration.seconds(90)
        /// The factor of `answerTimeout` for a sound file, which has the lowest priority.
        public var fileTimeoutFactor = 10
        /// The longest pause between attempts when workers die while they load.
        public var longestBackOff = Duration.seconds(30)

        /// Bounds its sessions, its idle workers and the time that it may take to load by what the engine declares.
        ///
        /// - Parameter memory: of one process, in bytes.
        public mutating func bound(memory: Int64) {
            let memory = UInt64(max(memory, 1))
            mostSessions = Self.sessionsHere(memory: memory)
            mostWarmWorkers = max(1, Int(Self.warmMemory / memory))
            // From a slow disk.
            startTimeout += .seconds(Int(memory / 50_000_000))
        }

        var command: [String] { [executable] + arguments + (modelFolder.map { ["--model", $0] } ?? []) }

        public init(executable: String, modelFolder: String? = Configuration.defaultModelFolder) {
            self.executable = executable
            self.modelFolder = modelFolder
        }
    }
}

/// A session with its own worker. Releasing it cancels.
final class WorkerSession: RecognitionSession {
    let events: AsyncStream<RecognitionEvent>

    private let pool: RecognizerPool
    private let worker: Int
    private let queue: EventQueue<RecognitionEvent>

    init(pool: RecognizerPool, worker: Int, queue: EventQueue<RecognitionEvent>) {
        self.pool = pool
        self.worker = worker
        self.queue = queue
        self.events = AsyncStream { await queue.next() }
    }

    deinit {
        queue.close(nil)
        Task { [pool, worker] in await pool.cancel(worker) }
    }

    func accept(_ frames: Frames) async -> Bool { await pool.accept(frames, for: worker) }

    func skip(to position: Int64) async { await pool.skip(to: position, for: worker) }

    func accept(file bytes: [UInt8]) async { await pool.accept(file: bytes, for: worker) }

    func finish() async { await pool.finish(worker) }

    func cancel() async {
        queue.replace(nil)
        await pool.cancel(worker)
    }
}
