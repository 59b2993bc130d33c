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

/// Which engine serves which request: the one that the user chose last for its task and that can do it and has its language;
/// PocketSphinx, if none of them can; otherwise any engine here that has the language.
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

    /// The engines that were chosen for a task, the last one first: it serves requests that name no language. An earlier one
    /// serves those in a language that the later ones do not have. `builtIn` for other tasks.
    public var choices: [EngineTask: [String]]
    /// The engines that can be started, by identifier.
    public var engines: [String: Engine]
    /// Engines that can be installed, by the code of a language.
    public var installable: [String: String]

    public init(
        choices: [EngineTask: [String]] = [:], engines: [String: Engine], installable: [String: String] = [:]
    ) {
        self.choices = choices
        self.engines = engines
        self.installable = installable
    }

    /// - Returns: an identifier of `engines`, or `builtIn`.
    /// - Throws: `languageUnavailable`, with the languages that are installed and what can be; `optionUnavailable`, with the
    ///   engines that have it.
    public func engine(for configuration: RecognitionConfiguration) throws(RecognitionError) -> String {
        let able = able(configuration.task.kind, configuration.input, for: EngineTask(of: configuration))
        guard let language = configuration.language else {
            return try checked(able.first ?? Self.builtIn, among: able, for: configuration)
        }
        let speaking = able.filter { engines[$0]?.capabilities.speaks(language) == true }
        guard let engine = speaking.first else {
            throw RecognitionError(
                code: .languageUnavailable,
                message: "No engine here recognises the language “\(language)”; installed: \(installed(able)). "
                    + advice(language, able))
        }
        return try checked(engine, among: speaking, for: configuration)
    }

    /// An engine that would ignore what was asked for refuses instead.
    private func checked(
        _ id: String, among able: [String], for configuration: RecognitionConfiguration
    ) throws(RecognitionError) -> String {
        guard let engine = engines[id] else { return id }
        let lacking = engine.capabilities.lacks(configuration.required)
        guard !lacking.isEmpty else { return id }
        let others = able.filter { engines[$0]?.capabilities.lacks(configuration.required).isEmpty == true }
        throw RecognitionError(
            lacking, of: engine.name, others: others.map { ($0, engines[$0]?.name ?? $0) },
            for: EngineTask(of: configuration))
    }

    /// The tasks that an engine serves by choice: requests without a language, or those in one of its languages that no later
    /// choice has.
    public func uses(of id: String) -> [EngineTask] {
        EngineTask.allCases.filter { task in
            let chosen = engines(for: task).filter { $0 == Self.builtIn || choices[task]?.contains($0) == true }
            guard chosen.first != id else { return true }
            let languages = (engines[id]?.capabilities.languages ?? []).compactMap { SpokenLanguage(tag: $0) }
            return languages.contains { language in
                chosen.first { engines[$0]?.capabilities.speaks(language) == true } == id
            }
        }
    }

    /// The engines that can do a task, by identifier, in the order of preference: the first serves a request that names no
    /// language.
    public func engines(for task: EngineTask) -> [String] { able(task.need.task, task.need.input, for: task) }

    private func able(
        _ task: RecognitionTask.Kind, _ input: RecognitionConfiguration.Input, for use: EngineTask
    ) -> [String] {
        var preferred = choices[use] ?? []
        if !preferred.contains(Self.builtIn) { preferred.append(Self.builtIn) }
        return (preferred + engines.keys.sorted().filter { !preferred.contains($0) }).filter {
            guard let capabilities = engines[$0]?.capabilities else { return false }
            return capabilities.recognizes(task) && capabilities.takes(input)
        }
    }

    private func advice(_ language: SpokenLanguage, _ able: [String]) -> String {
        let install =
            installable[language.code].map { "To install one:  voicegate engine install \($0)" }
            ?? "To install a model of Vosk:  voicegate engine install FOLDER"
        let other = able.lazy.flatMap { engines[$0]?.capabilities.languages ?? [] }
            .compactMap { SpokenLanguage(tag: $0) }.first
        return install + (other.map { "; to speak another language:  --language \($0)" } ?? "")
    }

    private func installed(_ able: [String]) -> String {
        let texts = able.compactMap { engines[$0] }.map {
            "\(($0.capabilities.languages ?? ["any language"]).joined(separator: ", ")) (\($0.name))"
        }
        return texts.isEmpty ? "none" : texts.joined(separator: "; ")
    }
}

extension RecognitionError {
    /// - Parameter others: the engines that have all that the request asks for.
    public init(
        _ lacking: Set<RecognitionOption>, of engine: String, others: [(id: String, name: String)], for task: EngineTask
    ) {
        let options = lacking.map(\.text).sorted().joined(separator: " and ")
        let advice =
            others.first.map { "or use \($0.name): voicegate engine use \($0.id)" + " --for \(task.rawValue)" }
            ?? "or install an engine that has them: voicegate engine list"
        self.init(
            code: .optionUnavailable, message: "\(engine) cannot use \(options). Omit that, \(advice)")
    }
}
