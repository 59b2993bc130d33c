import CPocketSphinx
import Speech

extension Decoder {
    /// Brings the decoder from the model's own state to that of a session; before its first utterance.
    func prepare(for configuration: RecognitionConfiguration, _ statistics: ModelStatistics) {
        if let transform = configuration.adaptation.transform, !statistics.apply(transform, to: self) {
            EngineLog.write("error", "The voice profile does not fit the model and is not used; enrol again.")
        }
        if let mean = configuration.adaptation.mean, !begin(with: mean) {
            EngineLog.write("warning", "The microphone's mean was learnt with another model and is left out.")
        }
        alternatives = configuration.alternatives
        // Phrases and grammars have words of their own.
        if case .dictation = configuration.task, !configuration.userWords.isEmpty { learn(configuration.userWords) }
    }

    /// - Returns: whether the mean fits the model.
    private func begin(with mean: CepstralMean) -> Bool {
        vg_decoder_set_mean(engine, mean.values, Int32(mean.values.count), Double(mean.frames)) == 0
    }

    /// The mean of all that was fed, without the one that was given; `nil` before there was anything.
    var learnt: CepstralMean? {
        var values = [Float](repeating: 0, count: Int(vg_most_coefficients))
        var frames = 0.0
        let count = Int(vg_decoder_mean(engine, &values, &frames))
        return CepstralMean(values: Array(values.prefix(count)), frames: Int(frames))
    }
}
