import Speech

/// The last seconds of a session's audio.
struct UtteranceAudio {
    private var runs: [Frames] = []
    /// Position of the session's first frame: the zero of the recogniser's times.
    private var origin: Int64?
    /// The end of the last utterance.
    private var taken: Int64 = 0
    /// The end of what `begin` and `next` gave.
    private var given: Int64 = 0

    /// Frames that are kept: more than the longest utterance.
    private static let most: Int64 = 100 * 16_000
    /// Frames before and after an utterance, so that no sound is cut off.
    private static let margin: Int64 = 4_000

    mutating func append(_ frames: Frames) {
        origin = origin ?? frames.position
        runs.append(frames)
        let oldest = frames.position + Int64(frames.samples.count) - Self.most
        runs.removeAll { $0.position + Int64($0.samples.count) <= oldest }
    }

    /// The audio between two times with a margin, without dropped frames. Everything before the end is forgotten.
    mutating func take(from start: Double, to end: Double) -> [Int16] {
        given = position(start) - Self.margin
        return take(to: end)
    }

    /// The audio of an utterance that is still spoken, from its beginning, with a margin, until now.
    mutating func begin(at start: Double) -> [Int16] {
        given = position(start) - Self.margin
        return next()
    }

    /// The audio since the last call.
    mutating func next() -> [Int16] {
        let end = runs.last.map { $0.position + Int64($0.samples.count) } ?? given
        let samples = samples(to: end)
        given = max(given, end)
        return samples
    }

    /// The rest of the audio until a time with a margin. Everything before that time is forgotten.
    mutating func take(to end: Double) -> [Int16] {
        let samples = samples(to: position(end) + Self.margin)
        taken = position(end)
        runs.removeAll { $0.position + Int64($0.samples.count) <= taken }
        return samples
    }

    private func position(_ seconds: Double) -> Int64 { (origin ?? 0) + Int64(seconds * 16_000) }

    private func samples(to end: Int64) -> [Int16] {
        let start = max(given, taken)
        var samples: [Int16] = []
        for run in runs {
            let from = max(start - run.position, 0)
            let to = min(end - run.position, Int64(run.samples.count))
            if from < to { samples += run.samples[Int(from)..<Int(to)] }
        }
        return samples
    }
}
