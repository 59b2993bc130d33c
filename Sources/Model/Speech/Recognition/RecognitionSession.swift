/// One use of a recogniser.
public protocol RecognitionSession: Sendable {
    /// For one reader. Ends after `finished`, `failed` or `cancel()`.
    var events: AsyncStream<RecognitionEvent> { get }

    /// Hands on audio, in order. Suspends while the recogniser is too far behind; returns at once after the end.
    func accept(_ frames: Frames) async

    /// Hands on a piece of a sound file, in order; only for `RecognitionConfiguration.Input.file`.
    func accept(file bytes: [UInt8]) async

    /// No more audio comes: what was heard is decoded to its end, then the events end with `finished`.
    func finish() async

    /// Whether any audio has left the service.
    var hasSentAudio: Bool { get }

    /// Drops everything that was heard and ends at once.
    func cancel() async
}

extension RecognitionSession {
    public var hasSentAudio: Bool { false }
}
