import Authorization

extension EngineTask {
    public init(of configuration: RecognitionConfiguration) {
        self =
            switch configuration.task.kind {
            case .dictation: configuration.input == .file ? .files : .dictation
            case .phrases: .phrases
            case .keyPhrases: .keyPhrases
            case .grammar: .grammar
            }
    }

    /// What an engine must be able to do for it.
    public var need: (task: RecognitionTask.Kind, input: RecognitionConfiguration.Input) {
        switch self {
        case .dictation: (.dictation, .live)
        case .files: (.dictation, .file)
        case .phrases: (.phrases, .live)
        case .keyPhrases: (.keyPhrases, .live)
        case .grammar: (.grammar, .live)
        }
    }
}

/// Which engine serves which request: the one that the user chose for its task; PocketSphinx, if that engine cannot do it;
/// otherwise any engine here that speaks the language.
public struct EngineTable: Sendable, Hashable {
    public static let builtIn = SpeechEngine.builtIn

    public struct Engine: Sendable, Hashable {
        /// As the user knows it.
        public var name: String
        public var capabilities: EngineCapabilities

        public init(name: String, capabilities: EngineCapabilities) {
            self.name = name
            self.capabilities = capabilities
        }
    }

    /// `builtIn` for other tasks.
    public var choices: [EngineTask: String]
    /// The engines that can be started, by identifier.
    public var engines: [String: Engine]

    public init(choices: [EngineTask: String] = [:], engines: [String: Engine]) {
        self.choices = choices
        self.engines = engines
    }

    /// - Returns: an identifier of `engines`, or `builtIn`.
    /// - Throws: `languageUnavailable`, with the languages that are installed.
    public func engine(for configuration: RecognitionConfiguration) throws(RecognitionError) -> String {
        let able = able(configuration.task.kind, configuration.input, for: EngineTask(of: configuration))
        guard let language = configuration.language else { return able.first ?? Self.builtIn }
        if let engine = able.first(where: { engines[$0]?.capabilities.speaks(language) == true }) { return engine }
        throw RecognitionError(
            code: .languageUnavailable,
            message: "No engine here recognises the language “\(language)”. Installed: \(installed(able)).")
    }

    /// The engines that can do a task, by identifier, in the order of preference: the first serves a request that names no
    /// language.
    public func engines(for task: EngineTask) -> [String] { able(task.need.task, task.need.input, for: task) }

    private func able(
        _ task: RecognitionTask.Kind, _ input: RecognitionConfiguration.Input, for use: EngineTask
    ) -> [String] {
        let chosen = choices[use] ?? Self.builtIn
        let preferred = chosen == Self.builtIn ? [chosen] : [chosen, Self.builtIn]
        return (preferred + engines.keys.sorted().filter { !preferred.contains($0) }).filter {
            guard let capabilities = engines[$0]?.capabilities else { return false }
            return capabilities.recognizes(task) && capabilities.takes(input)
        }
    }

    private func installed(_ able: [String]) -> String {
        let texts = able.compactMap { engines[$0] }.map {
            "\(($0.capabilities.languages ?? ["any language"]).joined(separator: ", ")) (\($0.name))"
        }
        return texts.isEmpty ? "none" : texts.joined(separator: "; ")
    }
}
