import Foundation
import RecognizerProtocol
import SoundFiles
import Speech

/// Tries an engine against the rules of the protocol, each rule with a process of its own. Blocks.
public struct EngineTrial: Sendable {
    /// What is said to the engine.
    public struct Recording: Sendable {
        /// A sound file that the engine is to read itself.
        public let file: [UInt8]
        /// The same at 16 kHz mono.
        public let samples: [Int16]
        public let text: String

        /// - Throws: `SoundFileError`'s message as `CocoaError`'s, where it is no sound file.
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
    ///   - command: the program and its arguments; `--model FOLDER` among them where it needs one.
    ///   - recording: without it half of the rules cannot be tried.
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
            case (.recognises, let clip?): problem = try recognises(clip)
            case (.doesNotDependOnPieces, let clip?): problem = try pieces(clip)
            case (.countsLostFrames, let clip?): problem = try lost(clip)
            case (.endsWithItsSocket, let clip?): problem = try ends(clip)
            case (.readsSoundFiles, let clip?): problem = try file(clip)
            case (.keepsToPhrases, let clip?): problem = try phrases(clip)
            case (_, nil): return EngineFinding(rule: rule, result: .notTried, detail: "It takes a recording.")
            }
            return EngineFinding(rule: rule, result: problem == nil ? .kept : .broken, detail: problem)
        } catch {
            return EngineFinding(rule: rule, result: .broken, detail: error.detail)
        }
    }

    /// A session that has begun.
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

    /// Seconds, in samples of nothing.
    static func silence(_ seconds: Int) -> [Int16] { [Int16](repeating: 0, count: seconds * 16_000) }
}

/// Why a trial came to nothing; says what the engine did.
enum EngineTrialError: Error, Hashable {
    case cannotStart(String)
    case late(String)
    case violation(String)

    var detail: String {
        switch self {
        case .cannotStart(let reason): "it cannot be started: \(reason)"
        case .late(let reason), .violation(let reason): reason
        }
    }
}

/// The rules of Documentation/Engines.md that can be tried from outside.
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

    /// As a sentence about an engine.
    public var sentence: String {
        switch self {
        case .greets: "says ready, once, when its model is loaded, and nothing before it is asked"
        case .hearsNothingInSilence: "hears no words in silence, and tells how much audio it was"
        case .endsAtOnceWithoutAudio: "ends at once when there was no audio"
        case .tellsOfItsProgress: "tells of its progress for each two seconds of audio"
        case .recognises: "recognises what is said, with times within the audio"
        case .doesNotDependOnPieces: "hears the same whatever the pieces in which the audio comes"
        case .countsLostFrames: "counts lost audio in its times, and ends the utterance where it is missing"
        case .endsWithItsSocket: "ends when its socket is closed, also in the middle of a word"
        case .refusesNonsense: "refuses what is not the protocol, and does not hang"
        case .refusesAudioBeforeStart: "refuses audio before a session has begun"
        case .readsSoundFiles: "transcribes a sound file"
        case .refusesWhatIsNoSoundFile: "refuses what is no sound file as badAudio"
        case .keepsToPhrases: "tells of its client's phrases alone where only these may come out, or refuses them"
        }
    }
}

/// What one rule of the engine protocol found.
public struct EngineFinding: Sendable, Hashable, Codable {
    public enum Result: String, Sendable, Hashable, Codable {
        case kept
        case broken
        /// Needs what was not given, such as a recording.
        case notTried
    }

    public let rule: EngineRule
    public let result: Result
    /// What happened, where the rule is broken or was not tried.
    public let detail: String?
}
