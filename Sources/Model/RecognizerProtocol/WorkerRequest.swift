import Speech

/// What the service tells a worker, in order: `start`, then `audio` or `file`, then `finish`. Closing the socket cancels.
public enum WorkerRequest: Sendable, Hashable {
    case start(RecognitionConfiguration)
    /// Samples at 16 kHz mono; `position` is the first one's place since the session's first sample, lost ones counted.
    case audio(samples: [Int16], position: Int64)
    /// A piece of a sound file, in order.
    case file([UInt8])
    case finish
}
