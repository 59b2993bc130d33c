import Authorization

/// Recognises speech, only with a grant.
public protocol Recognizer: Sendable {
    /// Starts a session that shares no state with an earlier one.
    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession

    /// The engine for a configuration at full fidelity. If that names a language, it is known after `checkLanguage(of:)` only.
    func engine(for configuration: RecognitionConfiguration) -> SpeechEngine

    /// Called before the user is asked and before a session is recorded. Needs no grant: engines are asked only what they are.
    ///
    /// - Throws: `languageUnavailable`, with the languages that are installed; `optionUnavailable`, with the engines that have it.
    func checkLanguage(of configuration: RecognitionConfiguration) async throws(RecognitionError)
}

extension Recognizer {
    public func engine(for configuration: RecognitionConfiguration) -> SpeechEngine { .ofService }

    public func checkLanguage(of configuration: RecognitionConfiguration) async throws(RecognitionError) {}
}

/// One use of a recogniser.
public protocol RecognitionSession: Sendable {
    /// For one reader. Ends after `finished`, `failed` or `cancel()`.
    var events: AsyncStream<RecognitionEvent> { get }

    /// Takes audio in order. Suspends while the recogniser is too far behind; returns at once after the end.
    ///
    /// - Returns: whether it was taken, as a whole or in part.
    @discardableResult
    func accept(_ frames: Frames) async -> Bool

    /// There is no audio until this position, which is later than that of all audio before: the utterance ends there.
    func skip(to position: Int64) async

    /// Takes a piece of a sound file in order; only for `RecognitionConfiguration.Input.file`.
    func accept(file bytes: [UInt8]) async

    /// Decodes the audio to its end; then the events end with `finished`.
    func finish() async

    /// Whether any audio has left the service.
    var hasSentAudio: Bool { get }

    /// Drops the audio and ends at once.
    func cancel() async
}

extension RecognitionSession {
    public var hasSentAudio: Bool { false }
}

public struct RecognitionConfiguration: Sendable, Hashable {
    public enum Input: String, Sendable, Codable, Hashable {
        /// Frames at 16 kHz mono, in real time.
        case live
        /// A sound file (WAV, FLAC, Ogg …) of any rate and channels.
        case file
    }

    public var task: RecognitionTask
    public var input: Input
    /// The pause that ends an utterance, in seconds.
    public var endSilence: Double
    public var userWords: UserWords
    /// Alternative texts of each utterance, 0…10.
    public var alternatives: Int
    /// Of the capture device, from earlier sessions; `nil`: the model's own.
    public var mean: CepstralMean?
    /// What the request asks for by name: an engine without it refuses. What else there is, such as a manifest's phrases, has an
    /// effect if the engine can use it.
    public var required: Set<RecognitionOption> = []
    /// What is spoken; `nil`: any language of the engine.
    public var language: SpokenLanguage?
    /// What the session's record names; no engine outside of the service hears anything unless it is that.
    public var recorded: SpeechEngine?
    /// For a file: utterances that begin before this many seconds are left out; the others do not change.
    public var from = 0.0
    /// For a file: whether the events have the sound of each utterance.
    public var givesSound = false

    public static let mostAlternatives = 10
    /// A day.
    public static let latestFrom = 86_400

    public init(
        task: RecognitionTask = .dictation, input: Input = .live, endSilence: Double = TaskHint.dictation.endSilence,
        userWords: UserWords = .none, alternatives: Int = 0, mean: CepstralMean? = nil
    ) {
        self.task = task
        self.input = input
        self.endSilence = endSilence
        self.userWords = userWords
        self.alternatives = min(max(alternatives, 0), Self.mostAlternatives)
        self.mean = mean
    }
}

public enum RecognitionTask: Sendable, Hashable {
    /// Any speech.
    case dictation
    /// Utterances that are one of these phrases. For each there is a `speechStarted` and a `final` whose text is the phrase as
    /// written here, without words, confidences and partial results. Other speech causes no event.
    case phrases([String])
    /// These phrases also within an utterance. Events as for `phrases`, with the phrase's `start` and `end`.
    case keyPhrases([KeyPhrase])
    /// Utterances that the JSGF grammar accepts. Events as for `dictation` without partial results; the `final` of other speech has
    /// no words, and noise causes no event.
    case grammar(String)

    /// UTF-8 bytes of a grammar.
    public static let longestGrammar = 65_536

    public var grammar: String? { if case .grammar(let text) = self { text } else { nil } }

    /// The only possible texts; `nil`: any.
    public var phrases: [String]? {
        switch self {
        case .dictation, .grammar: nil
        case .phrases(let phrases): phrases
        case .keyPhrases(let phrases): phrases.map(\.text)
        }
    }
}

/// The kind of speech, which determines the pause that ends an utterance.
public enum TaskHint: String, Sendable, Codable, Hashable, CaseIterable {
    /// Sentences, with pauses to think.
    case dictation
    /// A few words.
    case search
    /// One of a few short commands.
    case command

    /// Seconds.
    public var endSilence: Double {
        switch self {
        case .dictation: 0.8
        case .search: 0.6
        case .command: 0.5
        }
    }
}
