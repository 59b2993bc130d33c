import Authorization

/// Keeps what sessions hear, as far as that was declared and agreed to.
public protocol Keeper: Sendable {
    /// What it keeps, where it is declared and agreed to.
    var kinds: Set<DataKind> { get }

    /// Asked only where something may be kept, and before anything is heard. Nothing is made until there is something to
    /// keep.
    func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping
}

extension Keeper {
    public var kinds: Set<DataKind> { [.transcript, .recording] }
}

/// What is kept of one session. What goes wrong with it never reaches the session.
public protocol SessionKeeping: Sendable {
    /// Must not block. The same frames that the recogniser gets, in their order.
    func heard(_ frames: Frames)
    /// Must not block. The words that the client gets.
    func recognised(_ transcript: Transcript)
    /// Returns when all is kept, or nothing of it is there any more.
    ///
    /// - Parameter isKept: `false` when the client or the person threw it away.
    func end(isKept: Bool) async
}
