extension DictationSession {
    /// What an open session is made of.
    struct Parts {
        let record: SessionRecord
        let capture: any CaptureStream
        let recognition: any RecognitionSession
        let pump: FramePump
        let tee: SessionTee
        let tasks: [Task<Void, Never>]
        let start: ContinuousClock.Instant
    }
}
