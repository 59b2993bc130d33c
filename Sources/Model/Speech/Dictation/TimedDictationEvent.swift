/// An event with its time, in seconds since the session's start.
public struct TimedDictationEvent: Sendable, Hashable {
    public let time: Double
    public let event: DictationEvent

    public init(time: Double, event: DictationEvent) {
        self.time = time
        self.event = event
    }
}
