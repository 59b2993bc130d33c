import Speech

/// What a worker tells the service. Its log goes over standard error instead, because the library's last words when it
/// ends the process come that way too.
public enum WorkerReply: Sendable, Hashable {
    /// The model is loaded and the worker is locked in.
    case ready
    /// So many seconds of audio were worked on; tells that the worker is alive when there is nothing to say.
    case progress(Double)
    case recognized(RecognitionEvent)
}
