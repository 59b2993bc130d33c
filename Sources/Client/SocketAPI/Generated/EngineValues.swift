// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

/// An engine, as `voicegate engine list` shows it.
public struct EngineReply: Sendable, Hashable, Codable {
    public struct Measurement: Sendable, Hashable, Codable {
        /// The recordings.
        public var set: String
        /// Word errors in 100 words.
        public var errors: Double
        /// CPU seconds for a second of audio.
        public var cpu: Double

        public init(set: String, errors: Double, cpu: Double) { (self.set, self.errors, self.cpu) = (set, errors, cpu) }
    }

    public enum State: String, Sendable, Codable, Hashable, CaseIterable {
        /// A part of VoiceGate, and each file of the model that it loads is correct.
        case builtIn
        /// Installed, and each file is correct.
        case installed
        /// Installed or a part of VoiceGate, and some files are not correct; `faults` names them. It is not started.
        case damaged
        /// In the catalogue, not installed.
        case available
        /// In the catalogue, and there are no packages of it for this machine.
        case unavailable
    }

    public var id: String
    public var name: String
    public var version: String
    public var description: String
    /// BCP 47.
    public var languages: [String]
    /// What it can be chosen for.
    public var tasks: [EngineTask]
    /// What it can use of a request. A request that names another is refused.
    public var options: [RecognitionOption]
    /// SPDX, of its programs.
    public var codeLicences: [String]
    /// Of its model.
    public var weightsLicence: String
    /// Whether the model is free for any use; other ones are installed with --accept-licence only.
    public var isFree: Bool
    /// Bytes that an installation downloads.
    public var download: Int64
    /// Bytes on disk.
    public var size: Int64
    /// Bytes of memory of one process at most.
    public var memory: Int64?
    public var measured: [Measurement]
    public var state: State
    /// Such as `tokens.txt was changed`.
    public var faults: [String]
    /// SHA-256 of an installed engine, as in records.
    public var digest: String?
    /// Where it comes from, if known.
    public var source: String?
    /// Of an installed engine, and of the model that the built-in one loads.
    public var folder: String?
    /// The tasks that the user chose it for.
    public var usedFor: [EngineTask]

    public init(
        id: String, name: String, version: String, description: String, languages: [String], tasks: [EngineTask],
        options: [RecognitionOption], codeLicences: [String], weightsLicence: String, isFree: Bool, download: Int64,
        size: Int64, memory: Int64? = nil, measured: [Measurement], state: State, faults: [String] = [],
        digest: String? = nil, source: String? = nil, folder: String? = nil, usedFor: [EngineTask] = []
    ) {
        (self.id, self.name, self.version, self.description) = (id, name, version, description)
        (self.languages, self.tasks, self.options, self.codeLicences) = (languages, tasks, options, codeLicences)
        (self.weightsLicence, self.isFree, self.download, self.size) = (weightsLicence, isFree, download, size)
        (self.memory, self.measured, self.state, self.faults, self.digest) = (memory, measured, state, faults, digest)
        (self.source, self.folder, self.usedFor) = (source, folder, usedFor)
    }
}

/// `GET /v1/engines`
public struct EngineListReply: Sendable, Hashable, Codable {
    /// PocketSphinx first, then by name.
    public var engines: [EngineReply]
    /// The engine that config.yaml names; then the choices have no effect.
    public var configured: String?

    public init(engines: [EngineReply], configured: String? = nil) {
        (self.engines, self.configured) = (engines, configured)
    }
}

/// `POST /v1/engines`
public struct EngineRequest: Sendable, Hashable, Codable {
    /// The absolute path of a folder with an engine's files and its engine.json.
    public var folder: String

    public init(folder: String) { self.folder = folder }
}

/// `PUT /v1/engines/use`
public struct EngineUse: Sendable, Hashable, Codable {
    public var id: String
    /// By default all tasks that the engine can do.
    public var task: EngineTask?

    public init(id: String, task: EngineTask? = nil) { (self.id, self.task) = (id, task) }
}
