/// `POST /v1/dictation`; every field may be absent. Answered with a stream of `TimedDictationEvent`, one a line.
public struct DictationRequest: Sendable, Hashable, Codable {
    /// ALSA's PCM name; absent: the configured one, else `default`.
    public var device: String?
    /// Waits for a device that goes away, instead of ending with `deviceLost`.
    public var waitForDevice: Bool?
    /// Seconds, more than 0: ends the session when nobody has spoken for so long, once speech has begun.
    public var stopAfterSilence: Double?
    /// Seconds, 0.2 to 5: the pause that ends an utterance.
    public var endSilence: Double?
    /// Sends `level` events, ten a second.
    public var level: Bool?
    /// `false`: refuses at once where the person would have to be asked.
    public var ask: Bool?

    public init(
        device: String? = nil, waitForDevice: Bool? = nil, stopAfterSilence: Double? = nil, endSilence: Double? = nil,
        level: Bool? = nil, ask: Bool? = nil
    ) {
        self.device = device
        self.waitForDevice = waitForDevice
        self.stopAfterSilence = stopAfterSilence
        self.endSilence = endSilence
        self.level = level
        self.ask = ask
    }
}
