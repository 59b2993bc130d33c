extension Decoder {
    /// One configuration for all: its first pass is fast enough to give the text while it is spoken, and what the other two
    /// add at the end takes about a thirtieth of the audio's time. Measured on read speech; see Benchmarks.
    static let settings = [
        "-lw", "6", "-fwdflatlw", "6", "-maxhmmpf", "4000",
        // Removed silence would shift the times of the words behind it; utterances are cut before they come here.
        "-remove_silence", "no",
        // Scores count from the best of the sounds that were looked at: only when all are, two readings of the same samples
        // can be compared.
        "-compallsen", "yes",
    ]
}
