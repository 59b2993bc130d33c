import RecognizerWorker
import Speech

typealias Decoders = DecoderThreads<Decoder>

extension Decoders {
    /// Each loads the model.
    ///
    /// - Parameters:
    ///   - isForDictation: no phrases and no grammar will be judged.
    ///   - waiting: how many jobs may wait.
    convenience init(model: Model, isForDictation: Bool = false, count: Int, waiting: Int) {
        self.init(count: count, waiting: waiting) { () throws(RecognitionError) in
            try Decoder(model: model, isForDictation: isForDictation)
        }
    }

    /// The first of the words that the dictionary does not have.
    func unknown(in words: [String]) -> String? {
        result { decoder in words.first { !decoder.knows($0) } }
    }
}

extension FileDictation<Decoder> {
    convenience init(_ configuration: RecognitionConfiguration, decoders: Decoders, outbox: Outbox) {
        self.init(configuration, decoders: decoders, outbox: outbox) { $1.transcript(of: $0) }
    }
}
