import Speech

extension Decoder {
    /// How many words of a recording are wrong when it is decoded as any utterance is.
    func errors(in recording: Recording) -> Int {
        WordDistance.errors(
            reference: recording.words,
            hypothesis: segments(of: recording.samples).compactMap { Vocabulary.word($0.word) })
    }
}
