import SocketAPI
import Speech

/// The fields of OpenAI's transcription call, besides the file.
struct OpenAIForm: Sendable {
    static let fields = [
        "model", "language", "prompt", "response_format", "temperature", "stream", "timestamp_granularities[]",
        "chunking_strategy", "file",
    ]

    private(set) var format = OpenAIResponseFormat.json
    private(set) var streams = false
    /// Phrases of the prompt.
    private(set) var phrases: [String] = []
    private var asked: Set<OpenAIGranularity> = []
    private var seen: Set<String> = []

    /// Segments, where nothing else was asked for.
    var granularities: Set<OpenAIGranularity> { asked.isEmpty ? [.segment] : asked }

    /// Takes a field as it comes.
    ///
    /// - Parameter isLate: whether it comes behind the file, whose recognition has begun.
    /// - Throws: `RouteError` naming the field.
    mutating func take(_ name: String, _ value: String, isLate: Bool, model: ServedModel) throws(RouteError) {
        let isList = name.hasPrefix("timestamp_granularities")
        guard isList || seen.insert(name).inserted else {
            throw RouteError(.invalidValue, "The form has “\(name.prefix(40))” twice.", field: name)
        }
        switch name {
        case "model":
            guard value.isEmpty || model.isCalled(value) else {
                throw RouteError(
                    .notFound,
                    "There is no model “\(value.prefix(80))” here, only \(model.description.id). Leave “model” out, or "
                        + "call it whisper-1.", field: name)
            }
        case "language":
            guard value.isEmpty || model.speaks(value) else {
                throw RouteError(
                    .invalidValue,
                    "The recogniser does not know the language “\(value.prefix(40))”, only: \(model.languages).",
                    field: name)
            }
        case "prompt":
            phrases = PromptPhrases.phrases(in: value)
            guard phrases.isEmpty || !isLate else {
                throw RouteError(
                    .invalidValue,
                    "The prompt came behind the file, which was being recognised by then. Put the file last.",
                    field: name)
            }
        case "response_format":
            guard let format = OpenAIResponseFormat(rawValue: value) else {
                throw Self.unknown(value, of: name, OpenAIResponseFormat.allCases.map(\.rawValue))
            }
            self.format = format
        case "temperature":
            guard let temperature = Double(value), (0...1).contains(temperature) else {
                throw RouteError(.invalidValue, "temperature is a number from 0 to 1.", field: name)
            }
        case "stream":
            guard let streams = Self.boolean(value) else { throw Self.unknown(value, of: name, ["true", "false"]) }
            self.streams = streams
        case "timestamp_granularities[]", "timestamp_granularities":
            guard let granularity = OpenAIGranularity(rawValue: value) else {
                throw Self.unknown(value, of: name, OpenAIGranularity.allCases.map(\.rawValue))
            }
            asked.insert(granularity)
        case "chunking_strategy":
            // The pauses of whoever speaks part the utterances, which is what “auto” means.
            guard value == "auto" || value.isEmpty else { throw Self.unknown(value, of: name, ["auto"]) }
        default:
            throw RouteError(
                .invalidValue,
                "The form's field “\(name.prefix(40))” is none that is known here. Known are: "
                    + Self.fields.joined(separator: ", ") + ".", field: name)
        }
    }

    /// Whether the fields go together; asked when all are there.
    ///
    /// - Throws: `RouteError`
    func check() throws(RouteError) {
        if streams, format != .json, format != .text {
            throw RouteError(
                .invalidValue, "A stream is text only. Ask for json, or leave stream out.", field: "response_format")
        }
        if !asked.isEmpty, format != .verboseJSON {
            throw RouteError(
                .invalidValue, "Only verbose_json has times; ask for it as response_format.",
                field: "timestamp_granularities[]")
        }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "1": true
        case "false", "0", "": false
        default: nil
        }
    }

    private static func unknown(_ value: String, of name: String, _ known: [String]) -> RouteError {
        RouteError(
            .invalidValue,
            "“\(value.prefix(40))” is no value of \(name). There are: \(known.joined(separator: ", ")).", field: name)
    }
}
