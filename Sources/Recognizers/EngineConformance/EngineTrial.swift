import Foundation
import RecognizerProtocol
import SoundFiles
import Speech

/// Tests an engine against the rules of the protocol, each rule with a process of its own. Blocks.
public struct EngineTrial: Sendable {
    /// Speech for the engine.
    public struct Recording: Sendable {
        /// A sound file for the engine.
        public let file: [UInt8]
        /// The same at 16 kHz mono.
        public let samples: [Int16]
        public let text: String

        /// - Throws: `SoundFileError`, or why the file cannot be opened.
        public init(path: String, text: String) throws {
            file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let sound = try SoundFile(descriptor: handle.fileDescriptor)
            var samples: [Int16] = []
            while let more = try sound.read() { samples += more }
            self.samples = samples
            self.text = text
        }
    }

    private let command: [String]
    private let recording: Recording?
    private let limit: Duration

    /// - Parameters:
    ///   - command: the program and its arguments; including `--model FOLDER` if it needs one.
    ///   - recording: without it half of the rules cannot be tested.
    ///   - limit: of each rule.
    public init(command: [String], recording: Recording?, limit: Duration = .seconds(60)) {
        self.command = command
        self.recording = recording
        self.limit = limit
    }

    public func finding(_ rule: EngineRule) -> EngineFinding {
        do throws(EngineTrialError) {
            let problem: String?
            switch (rule, recording) {
            case (.greets, _): problem = try greets()
            case (.hearsNothingInSilence, _): problem = try silence()
            case (.endsAtOnceWithoutAudio, _): problem = try nothing()
            case (.tellsOfItsProgress, _): problem = try progress()
            case (.refusesNonsense, _): problem = try nonsense()
            case (.refusesAudioBeforeStart, _): problem = try early()
            case (.refusesWhatIsNoSoundFile, _): problem = try noSoundFile()
            case (.keepsItsDeclaration, _): problem = try undeclared()
            case (.recognises, let clip?): problem = try recognises(clip)
            case (.doesNotDependOnPieces, let clip?): problem = try pieces(clip)
            case (.countsLostFrames, let clip?): problem = try lost(clip)
            case (.endsWithItsSocket, let clip?): problem = try ends(clip)
            case (.readsSoundFiles, let clip?): problem = try file(clip)
            case (.keepsToPhrases, let clip?): problem = try phrases(clip)
            case (_, nil): return EngineFinding(rule: rule, result: .notTried, detail: "A recording is required.")
            }
            return EngineFinding(rule: rule, result: problem == nil ? .kept : .broken, detail: problem)
        } catch {
            return EngineFinding(rule: rule, result: .broken, detail: error.detail)
        }
    }

    /// Starts a session.
    func begun(
        _ configuration: RecognitionConfiguration = RecognitionConfiguration()
    ) throws(EngineTrialError) -> EngineConversation {
        let conversation = try greeted(isFile: configuration.input == .file).conversation
        try conversation.start(configuration)
        return conversation
    }

    func greeted(
        isFile: Bool = false
    ) throws(EngineTrialError) -> (engine: EngineProcess, conversation: EngineConversation) {
        let engine = try EngineProcess(command: command)
        let conversation = EngineConversation(engine, isFile: isFile, limit: limit)
        try conversation.awaitReady()
        return (engine, conversation)
    }

    var deadline: ContinuousClock.Instant { .now + limit }

    /// Silence of this many seconds.
    static func silence(_ seconds: Int) -> [Int16] { [Int16](repeating: 0, count: seconds * 16_000) }
}

/// What the engine did wrong, so that a rule could not be tested.
struct EngineTrialError: Error {
    let detail: String
}

/// The rules of Documentation/Engines.md that can be tested from outside.
public enum EngineRule: String, Sendable, Hashable, Codable, CaseIterable {
    case greets
    case hearsNothingInSilence
    case endsAtOnceWithoutAudio
    case tellsOfItsProgress
    case recognises
    case doesNotDependOnPieces
    case countsLostFrames
    case endsWithItsSocket
    case refusesNonsense
    case refusesAudioBeforeStart
    case readsSoundFiles
    case refusesWhatIsNoSoundFile
    case keepsToPhrases
    case keepsItsDeclaration

    /// The rule as a sentence about an engine.
    public var sentence: String {
        switch self {
        case .greets: "sends ready once its model is loaded, and nothing else before a session"
        case .hearsNothingInSilence: "recognises no words in silence, and reports the length of the audio"
        case .endsAtOnceWithoutAudio: "finishes at once without audio"
        case .tellsOfItsProgress: "reports its progress for each two seconds of audio"
        case .recognises: "recognises speech, with times within the audio"
        case .doesNotDependOnPieces: "recognises the same text for any division of the audio"
        case .countsLostFrames: "counts lost audio in its times, and ends the utterance at the gap"
        case .endsWithItsSocket: "exits when its socket is closed, also during a word"
        case .refusesNonsense: "refuses invalid messages, and does not hang"
        case .refusesAudioBeforeStart: "refuses audio before a session"
        case .readsSoundFiles: "transcribes a sound file"
        case .refusesWhatIsNoSoundFile: "refuses a file without sound as badAudio"
        case .keepsToPhrases: "reports only the client's phrases if it is limited to them, or refuses the limit"
        case .keepsItsDeclaration: "refuses tasks that its ready does not declare"
        }
    }
}

/// The result of one rule.
public struct EngineFinding: Sendable, Hashable, Codable {
    public enum Result: String, Sendable, Hashable, Codable {
        case kept
        case broken
        /// Not tested, for example without a recording.
        case notTried
    }

    public let rule: EngineRule
    public let result: Result
    /// What happened, if the rule is broken or was not tested.
    public let detail: String?
}
