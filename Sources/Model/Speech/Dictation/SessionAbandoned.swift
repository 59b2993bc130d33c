/// A session that was given up before it listened: the client has gone, or the service stops.
public struct SessionAbandoned: Error, Sendable, Hashable {
    public let ending: DictationEnding

    public init(ending: DictationEnding) { self.ending = ending }
}
