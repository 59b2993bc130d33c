import Server
import SocketAPI
import Speech
import Synchronization

/// The fields of OpenAI's transcription call, besides the file.
struct OpenAIForm: Sendable {
    private static let fields: Set = [
        "model", "language", "prompt", "response_format", "temperature", "stream", "timestamp_granularities",
        "chunking_strategy",
    ]

    private(set) var format = OpenAIResponseFormat.json
    private(set) var streams = false
    private(set) var phrases: [String] = []
    /// `nil`: any language of the engine.
    private(set) var language: SpokenLanguage?
    private var asked: Set<OpenAIGranularity> = []
    private var seen: Set<String> = []

    /// Segments by default.
    var granularities: Set<OpenAIGranularity> { asked.isEmpty ? [.segment] : asked }

    /// Takes a field.
    ///
    /// - Parameter isLate: whether it follows the file, whose recognition has begun.
    mutating func take(_ field: String, _ value: String, isLate: Bool, models: ServedModels) throws(RouteError) {
        // Libraries write a list as `name[]`, `name[0]`, or one field with all of its values.
        let name = String(field.prefix { $0 != "[" })
        func wrong(_ message: String, _ code: ErrorCode = .invalidValue) -> RouteError {
            RouteError(code, message, field: name)
        }
        func unknown(_ known: [String]) -> RouteError {
            wrong("“\(value.prefix(40))” is not a value of \(name). Values: \(known.joined(separator: ", ")).")
        }
        func choice<Choice: RawRepresentable<String> & CaseIterable>(
            _: Choice.Type, _ value: String
        ) throws(RouteError) -> Choice {
            guard let choice = Choice(rawValue: value) else { throw unknown(Choice.allCases.map(\.rawValue)) }
            return choice
        }
        // Programs made for other servers send fields of those. Some send each field, also without a value.
        guard Self.fields.contains(name), !value.isEmpty else { return }
        guard name == "timestamp_granularities" || seen.insert(name).inserted else {
            throw wrong("The form has the field “\(name.prefix(40))” twice.")
        }
        switch name {
        case "model":
            guard models.model(value) != nil else {
                throw wrong(models.unknown(value) + " Omit “model”, or set it to whisper-1.", .notFound)
            }
        case "language":
            guard value.lowercased() != SpokenLanguage.any else { break }
            do {
                language = try models.language(value, isLate: isLate)
            } catch {
                throw wrong(error.message)
            }
        case "prompt":
            phrases = PromptPhrases.phrases(in: value)
            guard phrases.isEmpty || !isLate else {
                throw wrong(
                    "The prompt follows the file, whose recognition had begun by then. Put the file last.")
            }
        case "response_format": format = try choice(OpenAIResponseFormat.self, value)
        case "temperature":
            guard let temperature = Double(value), (0...1).contains(temperature) else {
                throw wrong("temperature is a number from 0 to 1.")
            }
        case "stream":
            switch value.lowercased() {
            case "true", "1": streams = true
            case "false", "0": streams = false
            default: throw unknown(["true", "false"])
            }
        case "timestamp_granularities":
            for word in value.split(whereSeparator: { "[\"', ]".contains($0) }) {
                asked.insert(try choice(OpenAIGranularity.self, String(word)))
            }
        case "chunking_strategy":
            // The speaker's pauses divide the utterances, which is what “auto” means.
            guard value == "auto" else { throw unknown(["auto"]) }
        default: break
        }
    }

    /// Checks that the fields go together, once all have been read.
    func check() throws(RouteError) {
        if streams, format != .json, format != .text {
            throw RouteError(
                .invalidValue, "A stream is text only. Set response_format to json, or omit stream.",
                field: "response_format")
        }
        if !asked.isEmpty, format != .verboseJSON {
            throw RouteError(
                .invalidValue, "Only verbose_json has times. Set response_format to it.",
                field: "timestamp_granularities[]")
        }
    }
}

/// OpenAI's `prompt` as likely phrases. A prompt is a text, often the previous transcript or a list of names; it is split at
/// punctuation marks.
enum PromptPhrases {
    /// OpenAI's models use only the end of a long prompt, so the last phrases stay. A phrase that is too long is split at
    /// spaces.
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

    /// Within the bounds of `UserWords`. Longer words are dropped.
    private static func fits(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 4 * UserWords.longestPhrase && text.count <= UserWords.longestPhrase
    }
}

/// The body of OpenAI's transcription call. The sequence is the file, in pieces as they come.
///
/// `begin` reads the fields before the file. At the file's end the fields after it are read and checked, and an error in
/// them ends the recognition as a truncated file does.
final class OpenAIUpload: AsyncSequence, AsyncIteratorProtocol, @unchecked Sendable {
    // Safe: the caller of `begin` passes it to the reader of the file; never used by two tasks at a time.
    private let reader: MultipartReader<SoundBody>
    private let models: ServedModels
    private let state = Mutex<(form: OpenAIForm, failure: RouteError?)>((OpenAIForm(), nil))

    init(_ body: SoundBody, boundary: String, models: ServedModels) {
        reader = MultipartReader(body, boundary: boundary)
        self.models = models
    }

    var form: OpenAIForm { state.withLock { $0.form } }

    /// What was wrong with the body after the file's beginning.
    var failure: RouteError? { state.withLock { $0.failure } }

    /// Reads the fields before the file. Call it once, before the file is read.
    func begin() async throws {
        while let head = try await reader.nextPart() {
            if head.name == "file" {
                // Other fields may follow the file, but a stream begins before they are read.
                if form.streams { try form.check() }
                return
            }
            try await take(head, isLate: false)
        }
        throw RouteError(.invalidValue, "The form has no file. Send the sound in the field “file”.", field: "file")
    }

    private func take(_ head: PartHead, isLate: Bool) async throws {
        guard head.name != "file" else {
            throw RouteError(.invalidValue, "A form may have one file only.", field: "file")
        }
        guard head.fileName == nil else {
            throw RouteError(
                .invalidValue,
                "The field “\(head.name.prefix(40))” is a file. Send the sound in the field “file”, and no other file.",
                field: "file")
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
        try form.take(head.name, text, isLate: isLate, models: models)
        state.withLock { [form] in $0.form = form }
    }

    func makeAsyncIterator() -> OpenAIUpload { self }

    func next() async throws -> [UInt8]? {
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
}
