/// What an engine declares about itself in `ready`. What it does not declare is assumed to be possible, because engines of the
/// protocol's version 1 declare nothing.
public struct EngineCapabilities: Sendable, Hashable, Codable {
    /// The version of the protocol in Documentation/Engines.md.
    public var protocolVersion: Int
    /// One line of letters, digits, spaces and `._+-()/`.
    public var name: String?
    public var version: String?
    /// SHA-256 of its model, in lower-case hexadecimal.
    public var model: String?
    /// BCP 47.
    public var languages: [String]?
    public var tasks: Set<RecognitionTask.Kind>?
    public var inputs: Set<RecognitionConfiguration.Input>?
    /// What of a request has an effect besides its task.
    public var options: Set<RecognitionOption>?

    public static let latestProtocol = 2
    /// Bytes of a name and of a version.
    public static let longestName = 80
    public static let mostLanguages = 200

    public init(
        protocolVersion: Int = 1, name: String? = nil, version: String? = nil, model: String? = nil,
        languages: [String]? = nil, tasks: Set<RecognitionTask.Kind>? = nil,
        inputs: Set<RecognitionConfiguration.Input>? = nil, options: Set<RecognitionOption>? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.name = name
        self.version = version
        self.model = model
        self.languages = languages
        self.tasks = tasks
        self.inputs = inputs
        self.options = options
    }

    public func recognizes(_ task: RecognitionTask.Kind) -> Bool { tasks?.contains(task) ?? true }

    public func takes(_ input: RecognitionConfiguration.Input) -> Bool { inputs?.contains(input) ?? true }

    /// Those that would have no effect.
    public func lacks(_ required: Set<RecognitionOption>) -> Set<RecognitionOption> {
        options.map { required.subtracting($0) } ?? []
    }

    /// Whether the engine's languages include the language, regardless of regions.
    public func speaks(_ language: SpokenLanguage) -> Bool {
        languages?.contains { SpokenLanguage(tag: $0)?.code == language.code } ?? true
    }

    /// Whether the text can be shown in a prompt: one line that cannot change what is around it.
    public static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count) && text.first != " " && text.last != " "
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || " ._+-()/".unicodeScalars.contains($0)
            }
    }
}

/// A part of a request that some engines use and others cannot.
public enum RecognitionOption: String, Sendable, Hashable, Codable, CaseIterable {
    case contextPhrases = "context-phrases"
    /// The user's sample text.
    case words
    case alternatives

    /// With the names of the request's field and of the command's option.
    var text: String {
        switch self {
        case .contextPhrases: "context phrases (contextPhrases, --context-phrase)"
        case .words: "sample text (words, --words)"
        case .alternatives: "alternatives (alternatives, --alternatives)"
        }
    }
}

extension RecognitionTask {
    /// The name of a task in the protocol.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case dictation
        case phrases
        case keyPhrases = "key-phrases"
        case grammar
    }

    public var kind: Kind {
        switch self {
        case .dictation: .dictation
        case .phrases: .phrases
        case .keyPhrases: .keyPhrases
        case .grammar: .grammar
        }
    }
}

/// A kind of model that a program of VoiceGate runs with a library in the engine's folder.
public enum EngineFamily: String, Sendable, Hashable, CaseIterable {
    /// By `voicegate-recognizer-onnx`.
    case moonshine
    /// By `voicegate-recognizer-vosk`.
    case vosk

    /// What a model's files are for, as an engine's description names them.
    public var files: [String] {
        switch self {
        case .moonshine: ["encoder", "decoder", "tokens", "detector"]
        case .vosk: []
        }
    }

    /// Files that have the same name in each engine of the family.
    public var fixedFiles: [String] {
        switch self {
        case .moonshine: []
        case .vosk: ["libvosk.so", "am/final.mdl"]
        }
    }

    /// What their libraries can do: sherpa-onnx applies hot words to other families only, and gives one text.
    public var options: Set<RecognitionOption> {
        switch self {
        case .moonshine: []
        case .vosk: [.alternatives]
        }
    }

    /// For messages.
    public static var known: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
