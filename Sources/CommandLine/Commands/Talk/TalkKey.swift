/// What a person says by keys while they dictate.
enum TalkKey: Sendable, Hashable {
    /// The space bar is held, and let go.
    case pressed, released
    /// The space bar, at a terminal that does not tell when it is let go.
    case struck
    /// Enough.
    case end
    /// The terminal can tell when keys are let go.
    case canTellReleases
}
