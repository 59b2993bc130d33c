import Foundation

/// A use with how long ago it was.
public struct IndicatorEntry: Sendable, Hashable {
    public let use: IndicatedUse
    public let phase: IndicatorPhase
    /// `nil` while it runs.
    public let endedAt: Date?
}
