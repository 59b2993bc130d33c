import Speech

/// The service's messages to a worker, in order: `start`, then `audio` or `file`, then `finish`. Closing the socket cancels.
public enum WorkerRequest: Sendable, Hashable {
    case start(RecognitionConfiguration)
    /// Samples at 16 kHz mono; `position`: the index of the first one in the session, including lost samples.
    case audio(samples: [Int16], position: Int64)
    /// A piece of a sound file, in order.
    case file([UInt8])
    case finish
}

extension WorkerRequest {
    /// Bytes of a sound file or of audio in one event.
    public static let largestPiece = 65_536

    /// With Wyoming's types; `start` and `file-chunk` are our own.
    public var event: WyomingEvent {
        switch self {
        case .start(let configuration): Self.start(configuration)
        case .audio(let samples, let position):
            WyomingEvent(
                type: "audio-chunk",
                data: [
                    "rate": .integer(Frames.rate), "width": .number(2),
                    "channels": .number(1), "position": .integer(position),
                ],
                payload: Frames.bytes(of: samples))
        case .file(let bytes): WyomingEvent(type: "file-chunk", payload: bytes)
        case .finish: WyomingEvent(type: "audio-stop")
        }
    }

    /// - Throws: `unknownType` or `badField` for an event that is not a request.
    public init(_ event: WyomingEvent) throws(ProtocolError) {
        let fields = event.fields
        switch event.type {
        case "start": self = .start(try Self.configuration(fields, payload: event.payload))
        case "audio-chunk":
            guard try fields.integer("rate", in: 1...1_000_000) == Frames.rate,
                try fields.integer("width", in: 1...8) == 2, try fields.integer("channels", in: 1...64) == 1
            else { throw fields.bad("rate, width or channels") }
            guard event.payload.count.isMultiple(of: 2), event.payload.count <= Self.largestPiece else {
                throw fields.bad("payload")
            }
            let position = Int64(try fields.integer("position", in: 0...Fields.latestPosition))
            self = .audio(samples: Frames.samples(of: event.payload), position: position)
        case "file-chunk":
            guard event.payload.count <= Self.largestPiece else { throw fields.bad("payload") }
            self = .file(event.payload)
        case "audio-stop": self = .finish
        default: throw fields.unknownType
        }
    }
}

/// The encoding of a session's configuration. The payload has the sample text and the grammar; the data has their
/// lengths.
extension WorkerRequest {
    static func start(_ configuration: RecognitionConfiguration) -> WyomingEvent {
        var data = self.data(of: configuration.task)
        data["input"] = .string(configuration.input.rawValue)
        data["end_silence"] = .number(configuration.endSilence)
        data["from"] = .number(configuration.from)
        if configuration.givesSound { data["sound"] = .bool(true) }
        data["language"] = configuration.language.map { .string($0.code) }
        data["alternatives"] = .integer(configuration.alternatives)
        data["context_phrases"] = .array(configuration.userWords.contextPhrases.map { .string($0) })
        data.merge(configuration.mean?.fields ?? [:]) { $1 }
        let pieces = [
            ("text_length", Array(configuration.userWords.text.utf8)),
            ("grammar_length", Array((configuration.task.grammar ?? "").utf8)),
        ]
        for (name, bytes) in pieces { data[name] = .integer(bytes.count) }
        return WyomingEvent(type: "start", data: data, payload: pieces.flatMap(\.1))
    }

    static func configuration(_ fields: Fields, payload: [UInt8]) throws(ProtocolError) -> RecognitionConfiguration {
        let input: RecognitionConfiguration.Input = try fields.value("input")
        var rest = payload[...]
        let text = try fields.piece("text_length", of: &rest, limit: UserWords.longestText)
        let grammar = try fields.piece("grammar_length", of: &rest, limit: RecognitionTask.longestGrammar)
        guard rest.isEmpty else { throw fields.bad("payload") }
        var configuration = RecognitionConfiguration(
            task: try task(fields, grammar: String(decoding: grammar, as: UTF8.self)), input: input,
            endSilence: try fields.number("end_silence", in: 0...60),
            userWords: try words(fields, text: String(decoding: text, as: UTF8.self)),
            alternatives: try fields.integer("alternatives", in: 0...RecognitionConfiguration.mostAlternatives),
            mean: try fields.mean())
        if fields.data["language"] != nil {
            let tag = try fields.string("language", limit: 35)
            guard let language = SpokenLanguage(tag: tag) else { throw fields.bad("language") }
            configuration.language = language
        }
        configuration.givesSound = input == .file && fields.data["sound"]?.bool == true
        configuration.from = min(try fields.timeIfPresent("from") ?? 0, Double(RecognitionConfiguration.latestFrom))
        return configuration
    }

    private static func words(_ fields: Fields, text: String) throws(ProtocolError) -> UserWords {
        let phrases = try fields.strings(
            "context_phrases", most: UserWords.mostPhrases, limit: 4 * UserWords.longestPhrase)
        do throws(RecognitionError) {
            return try UserWords(contextPhrases: phrases, text: text)
        } catch {
            throw fields.bad("context_phrases")
        }
    }
}

extension Fields {
    /// Takes the number of bytes that the field states from the front.
    func piece(
        _ name: String, of payload: inout ArraySlice<UInt8>, limit: Int
    ) throws(ProtocolError) -> ArraySlice<UInt8> {
        let length = try integer(name, in: 0...limit)
        guard length <= payload.count else { throw bad(name) }
        defer { payload = payload.dropFirst(length) }
        return payload.prefix(length)
    }
}

extension WorkerRequest {
    static func data(of task: RecognitionTask) -> [String: WyomingValue] {
        switch task {
        case .grammar, .dictation: ["task": .string(task.kind.rawValue)]
        case .phrases(let phrases):
            ["task": .string(task.kind.rawValue), "phrases": .array(phrases.map { .object(["text": .string($0)]) })]
        case .keyPhrases(let phrases):
            [
                "task": .string(task.kind.rawValue),
                "phrases": .array(
                    phrases.map { .object(["text": .string($0.text), "tolerance": .number($0.tolerance)]) }),
            ]
        }
    }

    static func task(_ fields: Fields, grammar: String) throws(ProtocolError) -> RecognitionTask {
        let kind: RecognitionTask.Kind = try fields.value("task")
        if kind == .dictation { return .dictation }
        if kind == .grammar { return .grammar(grammar) }
        let entries = try fields.objects("phrases", most: PhraseBook.mostPhrases)
        guard !entries.isEmpty else { throw fields.bad("phrases") }
        let phrases = try entries.map { (entry) throws(ProtocolError) in
            KeyPhrase(
                try entry.string("text", limit: 4 * PhraseBook.longestPhrase),
                tolerance: kind == .keyPhrases ? try entry.number("tolerance", in: 0...1) : 0)
        }
        return kind == .phrases ? .phrases(phrases.map(\.text)) : .keyPhrases(phrases)
    }
}
