import Speech

/// How a session's configuration goes over the wire. What may be long is in the payload, piece after piece: the user's text,
/// the grammar, the transform; the data tell the length of each.
extension WorkerRequest {
    static func start(_ configuration: RecognitionConfiguration) -> WyomingEvent {
        var data = self.data(of: configuration.task)
        data["input"] = .string(configuration.input.rawValue)
        data["end_silence"] = .number(configuration.endSilence)
        data["from"] = .number(configuration.from)
        data["alternatives"] = .number(Double(configuration.alternatives))
        data["context_phrases"] = .array(configuration.userWords.contextPhrases.map { .string($0) })
        if let mean = configuration.adaptation.mean {
            data["mean"] = .array(mean.values.map { .number(Double($0)) })
            data["mean_frames"] = .number(Double(mean.frames))
        }
        let pieces = [
            ("text_length", Array(configuration.userWords.text.utf8)),
            ("grammar_length", Array((configuration.task.grammar ?? "").utf8)),
            ("transform_length", configuration.adaptation.transform ?? []),
        ]
        for (name, bytes) in pieces { data[name] = .number(Double(bytes.count)) }
        return WyomingEvent(type: "start", data: data, payload: pieces.flatMap(\.1))
    }

    static func configuration(_ fields: Fields, payload: [UInt8]) throws(ProtocolError) -> RecognitionConfiguration {
        guard let input = RecognitionConfiguration.Input(rawValue: try fields.string("input", limit: 16)) else {
            throw fields.bad("input")
        }
        var rest = payload[...]
        let text = try fields.piece("text_length", of: &rest, limit: UserWords.longestText)
        let grammar = try fields.piece("grammar_length", of: &rest, limit: RecognitionTask.longestGrammar)
        let transform = try fields.piece("transform_length", of: &rest, limit: SpeakerAdaptation.largestTransform)
        guard rest.isEmpty else { throw fields.bad("payload") }
        var configuration = RecognitionConfiguration(
            task: try task(fields, grammar: String(decoding: grammar, as: UTF8.self)), input: input,
            endSilence: try fields.number("end_silence", in: 0...60),
            userWords: try words(fields, text: String(decoding: text, as: UTF8.self)),
            alternatives: Int(
                try fields.integer("alternatives", in: 0...Int64(RecognitionConfiguration.mostAlternatives))),
            adaptation: SpeakerAdaptation(mean: try fields.mean(), transform: Array(transform)))
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
    /// Takes as many bytes as the field says from the front.
    func piece(
        _ name: String, of payload: inout ArraySlice<UInt8>, limit: Int
    ) throws(ProtocolError) -> ArraySlice<UInt8> {
        let length = Int(try integer(name, in: 0...Int64(limit)))
        guard length <= payload.count else { throw bad(name) }
        defer { payload = payload.dropFirst(length) }
        return payload.prefix(length)
    }

    /// `nil` when there is none.
    func mean() throws(ProtocolError) -> CepstralMean? {
        guard let values = try floats("mean", most: CepstralMean.mostCoefficients) else { return nil }
        let frames = Int(try integer("mean_frames", in: 1...Int64(CepstralMean.mostFrames)))
        guard let mean = CepstralMean(values: values, frames: frames) else { throw bad("mean") }
        return mean
    }
}
