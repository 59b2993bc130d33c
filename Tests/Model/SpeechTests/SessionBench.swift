import Authorization
import Foundation
import Speech
import TestSupport

/// A session between doubles of the device and the recogniser, behind a real gate, with everything that happens noted
/// in one order: the doubles' notes, `write EVENT` before and `told ended` after.
struct SessionBench {
    let requester: Requester
    let notes = Recorder<String>()
    let told = Recorder<DictationEvent>()
    let engines = Recorder<SpeechEngine>()
    let ledger: RecordingLedger
    let gate: Gate
    let microphone: StandInMicrophone
    let recognizer: StandInRecognizer
    let session: DictationSession
    let presence = CurrentPresence()

    /// - Parameters:
    ///   - answer: what the person says when asked; `nil`: both are allowed in settings already.
    ///   - keeping: what was agreed to with both, besides the background modes and phrases of the manifest.
    ///   - known: of every microphone.
    init(
        _ configuration: DictationConfiguration = DictationConfiguration(), answering answer: Answer? = nil,
        scope: Scope = .whileInUse, fidelity: Fidelity = .full, phrases: [String] = [],
        as requester: Requester? = nil, keeping: KeepingTimes = [:], known: CepstralMean? = nil,
        onceOutOfUse: Int64 = 10_000
    ) async throws {
        let requester = requester ?? Samples.requester(phrases: phrases)
        self.requester = requester
        let declared = requester.client.manifest?.backgroundModes ?? []
        let allowed = Resource.allCases.map {
            var decision = Self.yes(requester.key(for: $0), scope, fidelity, keeping)
            decision.terms?.agreed.backgroundModes = BackgroundMode.allCases.filter { declared.contains($0.rawValue) }
            decision.terms?.agreed.phrases = requester.client.manifest?.phrases ?? []
            return decision
        }
        ledger = RecordingLedger(decisions: answer == nil ? allowed : [])
        var limits = GateConfiguration()
        limits.onceOutOfUse = onceOutOfUse
        gate = try await Gate(ledger: ledger, agent: StandInAgent { _ in answer ?? .deny }, configuration: limits)
        if answer != nil { _ = await gate.checkAndRequest(for: requester) }
        microphone = StandInMicrophone(notes: notes)
        recognizer = StandInRecognizer(notes: notes)
        session = DictationSession(
            SessionContext(
                identifier: "session-1", requester: requester, gate: gate, ledger: ledger,
                keeper: StandInKeeper(notes: notes), presence: { [presence] in await presence.read() },
                onEngine: { [engines] in engines.add($1) }),
            configuration: configuration, source: microphone, recognizer: recognizer,
            means: StandInMeans(notes: notes, known: known))
        ledger.onWrite { [notes] event in notes.add("write \(event.name)") }
    }

    static func yes(
        _ key: DecisionKey, _ scope: Scope = .whileInUse, _ fidelity: Fidelity = .full, _ kept: KeepingTimes = [:]
    ) -> Decision {
        var terms = Samples.terms(scope: scope, fidelity: fidelity)
        terms.agreed.kept = kept
        if !kept.isEmpty { (terms.agreed.kinds, terms.agreed.retention) = (DataKind.allCases, "A month.") }
        return Decision(
            key: key, verdict: .authorized, program: AllowedProgram(sha256: "aa", path: "/usr/bin/editor"),
            terms: terms, indication: .settings, decidedAt: Date(timeIntervalSince1970: 0))
    }

    /// Runs the session in its own task, which is over when the session is.
    func run() -> Task<Void, Never> {
        Task { [session, told, notes] in
            await session.run { event in
                if case .ended = event.event { notes.add("told ended") }
                told.add(event.event)
            }
        }
    }

    /// Starts and runs it, and returns when `started` was told.
    func running() async throws -> Task<Void, Never> {
        try await session.start()
        let task = run()
        await told.until { !$0.isEmpty }
        return task
    }

    /// Returns when the session has dealt with everything that the device told before.
    func deviceIsCaughtUp() async {
        let mark = Int64(told.values.count) + 1_000_000
        microphone.send(.overrun(lostFrames: mark))
        await told.has(.overrun(lostFrames: mark))
    }

    /// Only phrases may be told from now on.
    func lower() async throws {
        let key = requester.key(for: .speechRecognition)
        try await gate.decide(
            .authorized, for: key, program: AllowedProgram(requester.caller.executable), fidelity: .reduced,
            by: requester.caller)
    }

    /// From always to while in use.
    func lowerScope() async throws {
        try await gate.decide(
            .authorized, for: requester.key(for: .microphone),
            program: AllowedProgram(sha256: "aa", path: "/usr/bin/editor"), by: requester.caller)
    }

    func revoke(_ resource: Resource = .microphone) async throws {
        try await gate.decide(.denied, for: requester.key(for: resource), program: nil, by: requester.caller)
    }

    func restrict(_ resource: Resource = .microphone) async throws {
        let rule = PolicyRule(resource: resource, client: nil, user: nil, reason: nil)
        try await gate.apply(Policy(rules: [rule]), source: PolicyProvenance(files: [:], broken: [:]))
    }

    /// The last of what was told, when that is an ending.
    var ending: DictationEnding? { if case .ended(let ending, _) = told.values.last { ending } else { nil } }

    var outcome: SessionOutcome? { ledger.outcomes.first }
}

extension RecordingLedger {
    /// How the sessions ended, as written down.
    var outcomes: [SessionOutcome] {
        events.compactMap { if case .sessionStopped(_, let outcome) = $0 { outcome } else { nil } }
    }
}

extension LedgerEvent {
    /// The case's name.
    var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

extension Transcript {
    /// One utterance of one word, or of noise alone.
    static func sample(_ word: String?, end: Double = 1) -> Transcript {
        Transcript(
            text: word ?? "", start: 0.5, end: end,
            words: word.map { [TranscribedWord(word: $0, start: 0.5, end: end, confidence: 0.9)] } ?? [])
    }
}
