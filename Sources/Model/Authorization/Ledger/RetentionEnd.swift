import Foundation

/// When kept data is erased.
public enum RetentionEnd: Sendable, Hashable {
    case date(Date)
    /// With the yes that it was kept on.
    case untilWithdrawn
}
