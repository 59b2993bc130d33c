import Speech

/// What became of an utterance: its transcript or, where the engine cannot be trusted with so much noise, that and a
/// transcript without words.
struct Understanding: Sendable {
    let transcript: Transcript
    /// Decibels of speech over noise, where that is to be told first.
    let noise: Double?

    /// - Parameter decibels: of the utterance's speech above its noise.
    init(_ transcript: Transcript, decibels: Double) {
        // What has no words is no nonsense, but a cough or a door.
        let isNoisy = decibels < NoiseMeter.needed && !transcript.text.isEmpty
        self.transcript = isNoisy ? transcript.withoutWords : transcript
        self.noise = isNoisy ? decibels : nil
    }
}

extension Decoder {
    /// Decodes the utterance as a whole, its noise suppressed where that helps.
    func understanding(of utterance: Utterance) -> Understanding {
        let decibels = NoiseMeter.decibels(of: utterance.samples)
        guard NoiseSuppression.isNeeded(decibels: decibels) else {
            return Understanding(transcript(of: utterance), decibels: decibels)
        }
        let quieter = Utterance(
            number: utterance.number, start: utterance.start, samples: Suppressor.suppressed(utterance.samples))
        return Understanding(transcript(of: quieter), decibels: decibels)
    }
}
