import SocketAPI
import Speech
import Synchronization

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

/// OpenAI's `prompt` as phrases that are likely to be said. A prompt is a text, often what was said before or a list of
/// names; it is cut where its author put a mark.
enum PromptPhrases {
    /// OpenAI's models look at the end of a long prompt only, so the last phrases stay. One that is too long is cut at blanks.
    static func phrases(in prompt: String) -> [String] {
        let marked = prompt.split { ",;:.!?\n\r\t\"()[]…、。・，；：！？".contains($0) }
        let phrases = marked.flatMap { pieces(of: $0) }
        return Array(phrases.suffix(UserWords.mostPhrases))
    }

    private static func pieces(of text: Substring) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for word in text.split(separator: " ") where fits(word) {
            let longer = piece.isEmpty ? String(word) : piece + " " + word
            if fits(longer) {
                piece = longer
            } else {
                pieces.append(piece)
                piece = String(word)
            }
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }

    /// As `UserWords` bounds a phrase; a longer word is none that anybody says.
    private static func fits(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 4 * UserWords.longestPhrase && text.count <= UserWords.longestPhrase
    }
}

/// The body of OpenAI's transcription call: the fields are gathered, the file is handed on as it comes.
///
/// `begin` reads up to the file. The sequence is the file; at its end the fields behind it are read, and only when those are
/// in order is the file over. So what is wrong with them ends the recognition like a file that is cut off.
final class OpenAIUpload: AsyncSequence, @unchecked Sendable {
    // Safe: handed from the one who calls `begin` to the one who reads the file, and never used by two at a time.
    private let reader: MultipartReader<BoundedBody.AsyncIterator>
    private let model: ServedModel
    private let state = Mutex<(form: OpenAIForm, failure: RouteError?)>((OpenAIForm(), nil))

    init(_ body: BoundedBody, boundary: String, model: ServedModel) {
        reader = MultipartReader(body.makeAsyncIterator(), boundary: boundary)
        self.model = model
    }

    /// The fields as far as they were read.
    var form: OpenAIForm { state.withLock { $0.form } }

    /// What was wrong with the body behind the beginning of the file.
    var failure: RouteError? { state.withLock { $0.failure } }

    /// Reads the fields before the file; to be called once, before anything else is read.
    ///
    /// - Throws: `RouteError`, also where there is no file.
    func begin() async throws {
        while let head = try await reader.nextPart() {
            if head.name == "file" {
                // Others may still come behind the file; an answer that begins before must not.
                if form.streams { try form.check() }
                return
            }
            try await take(head, isLate: false)
        }
        throw RouteError(.invalidValue, "The form has no file. Send the sound as “file”.", field: "file")
    }

    private func take(_ head: PartHead, isLate: Bool) async throws {
        guard head.name != "file" else {
            throw RouteError(.invalidValue, "A form may have one file only.", field: "file")
        }
        var bytes: [UInt8] = []
        while let piece = try await reader.nextPiece() {
            bytes += piece
            guard bytes.count <= MultipartBounds.field else {
                throw RouteError(
                    .tooLarge, "A field of the form may have at most \(MultipartBounds.field >> 10) KiB.",
                    field: head.name)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RouteError(.invalidValue, "A field of the form is not UTF-8.", field: head.name)
        }
        var form = form
        try form.take(head.name, text, isLate: isLate, model: model)
        state.withLock { [form] in $0.form = form }
    }

    private func nextPiece() async throws -> [UInt8]? {
        do {
            if let piece = try await reader.nextPiece() { return piece }
            while let head = try await reader.nextPart() { try await take(head, isLate: true) }
            try form.check()
            return nil
        } catch let error as RouteError {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(upload: self) }

    struct Iterator: AsyncIteratorProtocol {
        let upload: OpenAIUpload

        func next() async throws -> [UInt8]? { try await upload.nextPiece() }
    }
}
