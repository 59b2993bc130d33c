import Speech

/// A worker's messages to the service. Its log is on standard error, where the library writes before it aborts, too.
public enum WorkerReply: Sendable, Hashable {
    /// The model is loaded and the worker is sandboxed.
    case ready(EngineCapabilities)
    /// Seconds of audio that are done; shows that the worker is alive.
    case progress(Double)
    case recognized(RecognitionEvent)
}

extension WorkerReply {
    /// Bytes of text and number of words in one transcript.
    static let longestText = 65_536
    static let mostWords = 5_000

    /// `partial` and `final` replace Wyoming's `transcript-chunk` and `transcript`: they have the stable prefix, and the words'
    /// times and confidences.
    public var event: WyomingEvent {
        switch self {
        case .ready(let capabilities): WyomingEvent(type: "ready", data: capabilities.fields)
        case .progress(let time): WyomingEvent(type: "progress", data: ["time": .number(time)])
        case .recognized(.speechStarted(let time)):
            WyomingEvent(type: "voice-started", data: ["time": .number(time)])
        case .recognized(.partial(let partial)):
            WyomingEvent(
                type: "partial",
                data: ["text": .string(partial.text), "stable_prefix": .integer(partial.stablePrefix)])
        case .recognized(.final(let transcript)):
            WyomingEvent(
                type: "final",
                data: [
                    "text": .string(transcript.text), "start": .number(transcript.start),
                    "end": .number(transcript.end),
                    "words": .array(transcript.words.map(Self.value)),
                    "alternatives": .array(transcript.alternatives.map { .string($0) }),
                ].merging(transcript.noisyDecibels.map { ["noisy_decibels": .number($0)] } ?? [:]) { $1 })
        case .recognized(.sound(let samples)): WyomingEvent(type: "sound", payload: Frames.bytes(of: samples))
        case .recognized(.learnt(let mean)): WyomingEvent(type: "learnt", data: mean.fields)
        case .recognized(.progress(let seconds, let duration)):
            WyomingEvent(
                type: "file-progress",
                data: ["time": .number(seconds)].merging(duration.map { ["duration": .number($0)] } ?? [:]) { $1 })
        case .recognized(.incomplete(let reason)): WyomingEvent(type: "incomplete", data: ["reason": .string(reason)])
        case .recognized(.finished(let duration)):
            WyomingEvent(type: "finished", data: ["duration": .number(duration)])
        case .recognized(.failed(let error)): WyomingEvent(error)
        }
    }

    public init(_ event: WyomingEvent) throws(ProtocolError) {
        let fields = event.fields
        guard event.payload.isEmpty || event.type == "sound" else { throw fields.bad("payload") }
        switch event.type {
        case "ready": self = .ready(try fields.capabilities())
        case "progress": self = .progress(try fields.time("time"))
        case "voice-started": self = .recognized(.speechStarted(at: try fields.time("time")))
        case "partial": self = .recognized(.partial(try Self.partial(fields)))
        case "final": self = .recognized(.final(try Self.transcript(fields)))
        case "sound":
            guard event.payload.count.isMultiple(of: 2), event.payload.count <= WorkerRequest.largestPiece else {
                throw fields.bad("payload")
            }
            self = .recognized(.sound(Frames.samples(of: event.payload)))
        case "learnt":
            guard let mean = try fields.mean() else { throw fields.bad("mean") }
            self = .recognized(.learnt(mean))
        case "file-progress":
            self = .recognized(
                .progress(seconds: try fields.time("time"), duration: try fields.timeIfPresent("duration")))
        case "incomplete": self = .recognized(.incomplete(try fields.string("reason", limit: 1_024)))
        case "finished": self = .recognized(.finished(duration: try fields.time("duration")))
        case "error": self = .recognized(.failed(try fields.error(among: Self.codesOfWorkers)))
        default: throw fields.unknownType
        }
    }

    /// Workers may send no others.
    private static let codesOfWorkers: Set<RecognitionError.Code> = [
        .modelUnavailable, .badAudio, .phraseRefused, .grammarRefused, .wordsRefused, .protocolViolation,
        .decodingFailed,
    ]

    private static func value(_ word: TranscribedWord) -> WyomingValue {
        .object([
            "word": .string(word.word), "start": .number(word.start), "end": .number(word.end),
            "confidence": .number(word.confidence),
        ])
    }

    private static func partial(_ fields: Fields) throws(ProtocolError) -> PartialTranscript {
        let text = try fields.string("text", limit: longestText)
        let stable = try fields.integer("stable_prefix", in: 0...text.utf8.count)
        let end = text.utf8.index(text.startIndex, offsetBy: stable)
        guard String(text.utf8[..<end]) != nil else { throw fields.bad("stable_prefix") }
        return PartialTranscript(text: text, stablePrefix: stable)
    }

    private static func transcript(_ fields: Fields) throws(ProtocolError) -> Transcript {
        let start = try fields.time("start")
        let end = try fields.number("end", in: start...Fields.latestTime)
        var earliest = start
        let words = try fields.objects("words", most: mostWords).map { (word) throws(ProtocolError) in
            earliest = try word.number("start", in: earliest...end)
            return TranscribedWord(
                word: try word.string("word", limit: 256), start: earliest,
                end: try word.number("end", in: earliest...end),
                confidence: try word.number("confidence", in: 0...1))
        }
        return Transcript(
            text: try fields.string("text", limit: longestText), start: start, end: end, words: words,
            alternatives: try fields.strings(
                "alternatives", most: RecognitionConfiguration.mostAlternatives, limit: longestText),
            noisyDecibels: try fields.numberIfPresent("noisy_decibels", in: -100...200))
    }
}
