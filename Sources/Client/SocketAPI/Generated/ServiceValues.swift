// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

/// `GET /v1/diagnosis`: the service's report about itself, for `voicegate doctor`. Only VoiceGate's own command may
/// call it.
public struct DiagnosisReply: Sendable, Hashable, Codable {
    public struct Policy: Sendable, Hashable, Codable {
        public var folder: String
        /// Paths of the files in use, sorted.
        public var files: [String]
        /// Path → why the file there, or the folder, could not be used.
        public var broken: [String: String]
        /// The number of rules.
        public var rules: Int
        /// Rules without hours, or whose hours are now.
        public var rulesInForce: Int
        /// When hours next begin or end.
        public var nextChange: Date?
        /// The time zone of the hours.
        public var timeZone: String
    }

    public enum Agent: String, Sendable, Codable, Hashable, CaseIterable {
        /// Each command line asks at its own terminal.
        case caller
        /// The service's own terminal.
        case terminal
        /// The desktop's notifications.
        case desktop
        /// A file of answers.
        case script
    }

    /// An engine outside of the service.
    public struct Engine: Sendable, Hashable, Codable {
        /// As notices name it.
        public var name: String
        /// Why the last utterance was recognised without it; absent if it was not.
        public var problem: String?

        public init(name: String, problem: String? = nil) { (self.name, self.problem) = (name, problem) }
    }

    /// An engine that recognises speech in processes of the service.
    public struct Recognizer: Sendable, Hashable, Codable {
        public var id: String
        /// With its version.
        public var name: String
        /// SHA-256 of the engine, unless it is PocketSphinx, and of its model.
        public var model: String?
        /// What it is chosen for: `dictation`, `files`, `phrases`, `key-phrases`, `grammar`.
        public var tasks: [String]
        /// Whether a process of it has loaded its model.
        public var started: Bool
        /// Why it cannot be started.
        public var problem: String?

        public init(
            id: String, name: String, model: String? = nil, tasks: [String], started: Bool, problem: String? = nil
        ) {
            (self.id, self.name, self.model, self.tasks, self.started) = (id, name, model, tasks, started)
            self.problem = problem
        }
    }

    /// Absent for users other than root of a service of all users.
    public struct Anchors: Sendable, Hashable, Codable {
        /// Records of the log.
        public var size: UInt64
        /// Records of the last checkpoint on this machine, and the time of the last one of them.
        public var signed: UInt64
        public var signedUntil: String?
        /// Why no checkpoint of all records can be written.
        public var signingProblem: String?
        /// Records of the largest checkpoint that was published; 0: none.
        public var published: UInt64
        /// The same of one that enough witnesses cosigned.
        public var witnessed: UInt64
        /// The cosignatures that the policy requires, such as `2 of 3 witnesses`; absent: none.
        public var quorum: String?
        /// Records of the last checkpoint in the system's journal since the service started; absent: none is written
        /// there.
        public var journal: UInt64?
        /// That checkpoint as `voicegate audit verify --line` takes it.
        public var journalLine: String?
        /// Why the last one is not there.
        public var journalProblem: String?

        public init(
            size: UInt64, signed: UInt64, signedUntil: String? = nil, signingProblem: String? = nil,
            published: UInt64 = 0, witnessed: UInt64 = 0, quorum: String? = nil, journal: UInt64? = nil,
            journalLine: String? = nil, journalProblem: String? = nil
        ) {
            (self.size, self.signed, self.signedUntil) = (size, signed, signedUntil)
            (self.signingProblem, self.published, self.witnessed) = (signingProblem, published, witnessed)
            (self.quorum, self.journal, self.journalLine) = (quorum, journal, journalLine)
            self.journalProblem = journalProblem
        }
    }

    public var stateDirectory: String
    public var clientsDirectory: String
    public var policy: Policy
    /// Path → why the manifest there is not used.
    public var manifests: [String: String]
    public var agent: Agent
    public var modelFolder: String
    /// An engine outside of the service.
    public var engine: Engine?
    /// The engines in use.
    public var recognizers: [Recognizer]?
    /// Absent for users other than root of a service of all users.
    public var anchors: Anchors?

    public init(
        stateDirectory: String, clientsDirectory: String, policy: Policy, manifests: [String: String], agent: Agent,
        modelFolder: String, engine: Engine? = nil, recognizers: [Recognizer]? = nil, anchors: Anchors? = nil
    ) {
        (self.stateDirectory, self.clientsDirectory, self.policy) = (stateDirectory, clientsDirectory, policy)
        (self.manifests, self.agent, self.modelFolder, self.engine) = (manifests, agent, modelFolder, engine)
        (self.recognizers, self.anchors) = (recognizers, anchors)
    }
}

/// The service, as it reports itself.
public struct HealthReply: Sendable, Hashable, Codable {
    public enum Mode: String, Sendable, Codable, Hashable, CaseIterable {
        /// The service runs as the user, whose other programs could open the microphone themselves.
        case advisory
        /// The service runs as its own user, and decisions are confirmed through polkit.
        case enforced
    }

    /// What the service knows of its log since its start.
    public enum LogState: String, Sendable, Codable, Hashable, CaseIterable {
        /// It is being read as a whole; permissions wait for that.
        case verifying
        case intact
        /// Each permission must be given again; `voicegate audit verify` says what was altered.
        case altered
    }

    /// The service's version.
    public var version: String
    public var mode: Mode
    /// Of the service.
    public var processIdentifier: Int32
    /// Whether everything is muted.
    public var muted: Bool
    /// What the service knows of its log since its start.
    public var log: LogState?
    /// The engine of dictations with its version. Absent: unknown.
    public var recognizer: String?
    /// What the service takes at most.
    public var limits: ServiceLimits?

    public init(
        version: String, mode: Mode, processIdentifier: Int32, muted: Bool, log: LogState? = nil,
        recognizer: String? = nil, limits: ServiceLimits? = nil
    ) {
        (self.version, self.mode, self.processIdentifier, self.muted) = (version, mode, processIdentifier, muted)
        (self.log, self.recognizer, self.limits) = (log, recognizer, limits)
    }
}

/// What the service takes at most.
public struct ServiceLimits: Sendable, Hashable, Codable {
    /// Open connections of one program; one more is 503 `unavailable`.
    public var connectionsOfProgram: Int
    /// Running sessions of one client; one more is 429 `busy`.
    public var sessionsOfClient: Int
    /// Running sessions of all users.
    public var sessions: Int
    /// Registered monitors of one client; one more is 409 `conflict`.
    public var monitorsOfClient: Int
    /// Bytes of a JSON body.
    public var bytesOfBody: Int
    /// Bytes of a dictation's, which may have the user's own writing.
    public var bytesOfBodyWithWords: Int
    /// Bytes of UTF-8 of the user's own writing (`words`).
    public var bytesOfWords: Int
    /// Bytes of UTF-8 of a grammar.
    public var bytesOfGrammar: Int
    /// The number of likely phrases (`contextPhrases`).
    public var contextPhrases: Int
    /// Characters of a likely phrase.
    public var charactersOfPhrase: Int
    /// The number of alternative texts of an utterance.
    public var alternatives: Int
    /// Bytes of a sound file.
    public var bytesOfFile: Int
    /// The number of positions of the log that one answer of `GET /v1/audit/records` covers.
    public var recordsOfAnswer: Int
    /// Seconds in which a body may pause; a longer pause is 408 `clientStalled`.
    public var secondsOfPause: Int

    public init(
        connectionsOfProgram: Int, sessionsOfClient: Int, sessions: Int, monitorsOfClient: Int, bytesOfBody: Int,
        bytesOfBodyWithWords: Int, bytesOfWords: Int, bytesOfGrammar: Int, contextPhrases: Int,
        charactersOfPhrase: Int, alternatives: Int, bytesOfFile: Int, recordsOfAnswer: Int, secondsOfPause: Int
    ) {
        (self.connectionsOfProgram, self.sessionsOfClient) = (connectionsOfProgram, sessionsOfClient)
        (self.sessions, self.monitorsOfClient, self.bytesOfBody) = (sessions, monitorsOfClient, bytesOfBody)
        (self.bytesOfBodyWithWords, self.bytesOfWords) = (bytesOfBodyWithWords, bytesOfWords)
        (self.bytesOfGrammar, self.contextPhrases) = (bytesOfGrammar, contextPhrases)
        (self.charactersOfPhrase, self.alternatives, self.bytesOfFile) = (charactersOfPhrase, alternatives, bytesOfFile)
        (self.recordsOfAnswer, self.secondsOfPause) = (recordsOfAnswer, secondsOfPause)
    }
}
