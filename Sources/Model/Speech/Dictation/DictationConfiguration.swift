/// How a session listens.
public struct DictationConfiguration: Sendable, Hashable {
    /// ALSA's PCM name.
    public var device: String
    public var onDeviceLoss: DeviceLossBehavior
    /// Ends the session after this many seconds without speech, once speech has begun; `nil`: never.
    public var stopAfterSilence: Double?
    /// The pause that ends an utterance, in seconds; `nil`: the recogniser's default.
    public var endSilence: Double?
    /// A JSGF grammar: only what it allows is recognised; `nil`: whatever is said.
    public var grammar: String?
    public var userWords: UserWords
    /// Further readings of each utterance, 0…10.
    public var alternatives: Int
    /// Whether `level` events are sent.
    public var reportsLevel: Bool
    /// Whether nothing is heard before the client resumes it.
    public var beginsSuspended: Bool
    /// Frames at 16 kHz that a session with a yes for once may spend in the background before it ends.
    public var onceInBackground: Int64

    public init(
        device: String = "default", onDeviceLoss: DeviceLossBehavior = .end, stopAfterSilence: Double? = nil,
        endSilence: Double? = nil, grammar: String? = nil, userWords: UserWords = .none, alternatives: Int = 0,
        reportsLevel: Bool = false, beginsSuspended: Bool = false, onceInBackground: Int64 = 160_000
    ) {
        self.device = device
        self.onDeviceLoss = onDeviceLoss
        self.stopAfterSilence = stopAfterSilence
        self.endSilence = endSilence
        self.grammar = grammar
        self.userWords = userWords
        self.alternatives = alternatives
        self.reportsLevel = reportsLevel
        self.beginsSuspended = beginsSuspended
        self.onceInBackground = onceInBackground
    }
}
