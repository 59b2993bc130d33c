extension Decoder {
    /// What a decoder is for. The settings were measured on read speech; see Benchmarks.
    enum Purpose: Sendable {
        /// Text while it is spoken: one pass, in well under a tenth of the audio's time.
        case live
        /// An utterance that is over: three passes, about a fifth of the audio's time.
        case accurate

        var settings: [String] {
            switch self {
            case .live: ["-fwdflat", "no", "-bestpath", "no", "-maxhmmpf", "6000"]
            case .accurate:
                [
                    "-lw", "6", "-fwdflatlw", "6", "-fwdflatefwid", "2", "-fwdflatsfwin", "50",
                    // Scores count from the best of the sounds that were looked at: only when all are, two readings of
                    // the same samples can be compared. Costs nothing here.
                    "-compallsen", "yes",
                ]
            }
        }
    }
}
