import Authorization

/// Turns frames into words, only for a grant.
public protocol Recognizer: Sendable {
    /// Starts a session with a recogniser of its own: nothing of an earlier session is left in it.
    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession

    /// Who would recognise what is asked for, if it is allowed at full fidelity.
    func engine(for configuration: RecognitionConfiguration) -> SpeechEngine
}

extension Recognizer {
    public func engine(for configuration: RecognitionConfiguration) -> SpeechEngine { .ofService }
}

/// One use of a recogniser.
public protocol RecognitionSession: Sendable {
    /// For one reader. Ends after `finished`, `failed` or `cancel()`.
    var events: AsyncStream<RecognitionEvent> { get }

    /// Hands on audio, in order. Suspends while the recogniser is too far behind; returns at once after the end.
    func accept(_ frames: Frames) async

    /// Hands on a piece of a sound file, in order; only for `RecognitionConfiguration.Input.file`.
    func accept(file bytes: [UInt8]) async

    /// No more audio comes: what was heard is decoded to its end, then the events end with `finished`.
    func finish() async

    /// Whether any audio has left the service.
    var hasSentAudio: Bool { get }

    /// Drops everything that was heard and ends at once.
    func cancel() async
}

extension RecognitionSession {
    public var hasSentAudio: Bool { false }
}

/// How to recognise.
public struct RecognitionConfiguration: Sendable, Hashable {
    public enum Input: String, Sendable, Codable, Hashable {
        /// Frames at 16 kHz mono, as they are spoken.
        case live
        /// A sound file (WAV, FLAC, Ogg …) as it is on disk, any rate and channels.
        case file
    }

    public var task: RecognitionTask
    public var input: Input
    /// The pause that ends an utterance, in seconds.
    public var endSilence: Double
    public var userWords: UserWords
    /// Further readings of each utterance, 0…10.
    public var alternatives: Int
    public var adaptation: SpeakerAdaptation
    /// For a file: utterances that begin before so many seconds are left out. The others come out as they would without.
    public var from = 0.0

    public static let mostAlternatives = 10
    /// A day.
    public static let latestFrom = 86_400

    public init(
        task: RecognitionTask = .dictation, input: Input = .live, endSilence: Double = TaskHint.dictation.endSilence,
        userWords: UserWords = .none, alternatives: Int = 0, adaptation: SpeakerAdaptation = .none
    ) {
        self.task = task
        self.input = input
        self.endSilence = endSilence
        self.userWords = userWords
        self.alternatives = min(max(alternatives, 0), Self.mostAlternatives)
        self.adaptation = adaptation
    }
}

/// What a recogniser listens for.
public enum RecognitionTask: Sendable, Hashable {
    /// Whatever is said.
    case dictation
    /// Utterances that are one of these phrases. The only events are, for each that was said, `speechStarted` and a
    /// `final` whose text is the phrase as it is written here, without words, confidence or partial results. Whatever
    /// else is said leaves no trace.
    case phrases([String])
    /// These phrases wherever they are said, also within a sentence. Events as for `phrases`; `start` and `end` tell where.
    case keyPhrases([KeyPhrase])

    /// Utterances that the grammar allows (JSGF, one public rule). Events as for `dictation` without partial results;
    /// what else is said leaves no trace.
    case grammar(String)

    /// UTF-8 bytes of a grammar.
    public static let longestGrammar = 65_536

    /// The text of the grammar, or `nil`.
    public var grammar: String? { if case .grammar(let text) = self { text } else { nil } }

    /// The phrases that may come out, or `nil` when anything may.
    public var phrases: [String]? {
        switch self {
        case .dictation, .grammar: nil
        case .phrases(let phrases): phrases
        case .keyPhrases(let phrases): phrases.map(\.text)
        }
    }
}

/// What is being said: decides how long a pause ends an utterance.
public enum TaskHint: String, Sendable, Codable, Hashable, CaseIterable {
    /// Sentences, with pauses to think.
    case dictation
    /// A few words to look for.
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
