import Authorization
import Base
import Cryptography
import Foundation
import Glibc
import LinuxSystem
import Speech

/// An engine that can be installed, or a model of PocketSphinx: what it is, and each of its files with its digest.
/// `Models/catalogue.json` has the known ones; `engine.yaml` is one of somebody else, and `engine.json` in an installed engine's
/// folder is the one that it was installed from.
public struct EngineEntry: Sendable, Hashable, Codable {
    /// The identifier of PocketSphinx, which is a part of VoiceGate, and the family of its models.
    public static let builtIn = SpeechEngine.builtIn

    public struct Licences: Sendable, Hashable, Codable {
        /// SPDX.
        public let code: [String]
        /// SPDX, or the weights' own licence.
        public let weights: String
    }

    public struct Measurement: Sendable, Hashable, Codable {
        public let set: String
        /// Word errors in 100 words.
        public let errors: Double
        /// CPU seconds for a second of audio.
        public let cpu: Double
    }

    /// A package of a registry, as one file.
    public struct Artefact: Sendable, Hashable, Codable {
        public let package: String
        public let version: String
        /// As in `uname -m`; `nil`: for each machine.
        public let architecture: String?
        /// The name of the wheel.
        public let file: String
        public let sha256: String
        public let bytes: Int64
        public let contents: [Content]
    }

    /// A file in an artefact.
    public struct Content: Sendable, Hashable, Codable {
        /// In the artefact.
        public let path: String
        /// Its path in the engine's folder.
        public let name: String
        public let sha256: String
        public let bytes: Int64
    }

    /// A file of a model that a person has in a folder.
    public struct File: Sendable, Hashable, Codable {
        /// Its path in the model's folder.
        public let name: String
        public let sha256: String
        public let bytes: Int64
    }

    /// A file that is made of one of the contents, which is not kept.
    public struct Derived: Sendable, Hashable, Codable {
        public enum Format: String, Sendable, Hashable, Codable {
            /// Moonshine's tokenizer.bin, to sherpa-onnx's tokens.txt.
            case moonshineTokenizer = "moonshine-tokenizer"
        }

        public let name: String
        /// The name of a content.
        public let from: String
        public let format: Format
        public let sha256: String
        public let bytes: Int64
    }

    public let id: String
    public let name: String
    public let version: String
    public let description: String
    /// Where it comes from.
    public let source: String?
    /// BCP 47.
    public let languages: [String]
    /// Of `dictation`, `phrases`, `key-phrases` and `grammar`.
    public let tasks: [String]
    /// Of `live` and `file`.
    public let inputs: [String]
    public let partialTexts: Bool
    public let wordTimes: Bool
    public let confidences: Bool
    /// For the engine's program: its family and the names of its files.
    public let recognizer: [String: String]?
    public let licences: Licences
    /// Whether the weights are free for any use.
    public let free: Bool
    /// Of one process at most, in bytes.
    public let memory: Int64?
    public let measured: [Measurement]?
    /// The package of the system that installs it, and the folder where.
    public let package: String?
    public let folder: String?
    /// Of a model of PocketSphinx, which has no artefacts, or of one of Vosk that was installed from a folder.
    public let files: [File]?
    public let artefacts: [Artefact]
    public let derived: [Derived]?

    /// Whether it is a model that `voicegate-recognizer` loads.
    public var isModel: Bool { recognizer?["family"] == Self.builtIn }

    /// What runs it; `nil` for a model of PocketSphinx.
    public var family: EngineFamily? { recognizer?["family"].flatMap(EngineFamily.init(rawValue:)) }

    /// What of a request has an effect besides its task.
    public var recognitionOptions: Set<RecognitionOption> {
        isModel ? Set(RecognitionOption.allCases) : family?.options ?? []
    }

    /// Those of a machine; empty if one of the packages is not there for it.
    public func artefacts(for architecture: String) -> [Artefact] {
        let fitting = artefacts.filter { $0.architecture ?? architecture == architecture }
        return Set(fitting.map(\.package)) == Set(artefacts.map(\.package)) ? fitting : []
    }

    /// The contents for a machine.
    public func contents(for architecture: String) -> [Content] { artefacts(for: architecture).flatMap(\.contents) }

    /// SHA-256 and bytes of each file of the engine's folder but `engine.json`, by name.
    public func files(for architecture: String) -> [String: (sha256: String, bytes: Int64)] {
        let sources = Set((derived ?? []).map(\.from))
        let kept = contents(for: architecture).filter { !sources.contains($0.name) }
            .map { ($0.name, (sha256: $0.sha256, bytes: $0.bytes)) }
        let made = (derived ?? []).map { ($0.name, (sha256: $0.sha256, bytes: $0.bytes)) }
        let own = (files ?? []).map { ($0.name, (sha256: $0.sha256, bytes: $0.bytes)) }
        return Dictionary(kept + made + own) { first, _ in first }
    }

    /// What it can be chosen for.
    public var uses: [EngineTask] {
        EngineTask.allCases.filter { use in
            switch use {
            case .dictation: tasks.contains("dictation") && inputs.contains("live")
            case .files: tasks.contains("dictation") && inputs.contains("file")
            case .phrases, .keyPhrases, .grammar: tasks.contains(use.rawValue)
            }
        }
    }

    public func isAvailable(on architecture: String) -> Bool { isModel || !artefacts(for: architecture).isEmpty }

    public func downloadBytes(for architecture: String) -> Int64 {
        artefacts(for: architecture).map(\.bytes).reduce(0, +)
    }

    /// Of the engine's folder.
    public func installedBytes(for architecture: String) -> Int64 {
        files(for: architecture).values.map(\.bytes).reduce(0, +)
    }
}

extension EngineEntry {
    /// A model of PocketSphinx in a folder: it has the files that are there now, and its version is the beginning of the SHA-256 of
    /// their digests.
    ///
    /// - Parameters:
    ///   - id: its name; `nil`: the folder's.
    ///   - language: BCP 47.
    /// - Throws: `unusable`, `inputOutput`.
    public init(model folder: VerifiedFolder, id: String?, language: String) throws(VerifiedFolderError) {
        let (files, version) = try Self.files(of: folder)
        let id = id ?? (folder.path as NSString).lastPathComponent.lowercased()
        self.init(
            id: id, name: "PocketSphinx \(id)", version: version,
            description: "A model of PocketSphinx.", source: folder.path, languages: [language],
            tasks: RecognitionTask.Kind.allCases.map(\.rawValue), inputs: ["live", "file"], partialTexts: true,
            wordTimes: true, confidences: true, recognizer: ["family": Self.builtIn],
            licences: Licences(code: ["BSD-2-Clause"], weights: "not stated"), free: true, memory: nil, measured: nil,
            package: nil, folder: nil, files: files, artefacts: [], derived: nil)
        try check()
    }

    /// The files of a folder as they are now, and a version of them: the beginning of the SHA-256 of their digests.
    static func files(of folder: VerifiedFolder) throws(VerifiedFolderError) -> (files: [File], version: String) {
        let digests = try folder.digests(FileDigests(capacity: VerifiedFolder.mostFiles))
        let files = digests.sorted { $0.key < $1.key }.map {
            File(name: $0.key, sha256: $0.value, bytes: folder.sizes[$0.key] ?? 0)
        }
        let lines = files.map { "\($0.sha256)  \($0.name)\n" }.joined()
        let digest = Hexadecimal.encode(SHA256.hash(data: Data(lines.utf8)))
        return (files, String(digest.prefix(12)))
    }
}

/// The machine that this program runs on.
public enum Machine {
    /// As `uname -m` prints it, such as `x86_64`.
    public static let architecture: String = {
        var name = utsname()
        uname(&name)
        // `machine` is a zero-terminated array inside the structure.
        return withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }()
}

/// The known engines, from `Models/catalogue.json`; the built-in one first.
public struct EngineCatalogue: Sendable, Hashable, Codable {
    public let engines: [EngineEntry]

    public init(engines: [EngineEntry]) { self.engines = engines }

    /// The catalogue of this version of VoiceGate.
    public static func builtIn() throws -> EngineCatalogue {
        try JSONDecoder().decode(EngineCatalogue.self, from: Data(PackageResources.catalogue_json))
    }

    public func entry(_ id: String) -> EngineEntry? { engines.first { $0.id == id } }

    /// The engine to install for each language, by its code, on a machine.
    ///
    /// - Parameter installed: identifiers.
    public func installable(on architecture: String, without installed: some Collection<String>) -> [String: String] {
        let entries = engines.filter {
            $0.id != EngineEntry.builtIn && $0.isAvailable(on: architecture) && !installed.contains($0.id)
        }
        let pairs = entries.flatMap { entry in
            entry.languages.compactMap { SpokenLanguage(tag: $0)?.code }.map { ($0, entry.id) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The built-in engine with the model that it loads by default.
    public var model: EngineEntry? { entry(EngineEntry.builtIn) }
}
