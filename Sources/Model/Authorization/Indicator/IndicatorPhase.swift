/// How long ago a use was. The names and times are Android's privacy indicators'.
public enum IndicatorPhase: String, Sendable, Codable, Hashable, CaseIterable {
    /// Runs, or ended under five seconds ago.
    case now
    /// Ended under fifteen seconds ago.
    case lately
}
