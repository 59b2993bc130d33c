import Speech

/// The last seconds of what a session heard, to be asked for by the times of an utterance.
struct UtteranceAudio {
    private var runs: [Frames] = []
    /// Position of the session's first frame: the zero of the recogniser's times.
    private var origin: Int64?
    /// Where the last utterance ended.
    private var taken: Int64 = 0

    /// Frames that are kept: somewhat more than the longest utterance.
    private static let most: Int64 = 100 * 16_000
    /// Frames before and behind an utterance, so that no sound is cut off.
    private static let margin: Int64 = 4_000

    mutating func append(_ frames: Frames) {
        origin = origin ?? frames.position
        runs.append(frames)
        let oldest = frames.position + Int64(frames.samples.count) - Self.most
        runs.removeAll { $0.position + Int64($0.samples.count) <= oldest }
    }

    /// The audio between two times, and a little around it; what was dropped in between is left out. What lies before its
    /// end is forgotten.
    mutating func take(from start: Double, to end: Double) -> [Int16] {
        guard let origin else { return [] }
        let first = max(origin + Int64(start * 16_000) - Self.margin, taken)
        let last = origin + Int64(end * 16_000) + Self.margin
        var samples: [Int16] = []
        for run in runs {
            let from = max(first - run.position, 0)
            let to = min(last - run.position, Int64(run.samples.count))
            if from < to { samples += run.samples[Int(from)..<Int(to)] }
        }
        taken = origin + Int64(end * 16_000)
        runs.removeAll { $0.position + Int64($0.samples.count) <= taken }
        return samples
    }
}
