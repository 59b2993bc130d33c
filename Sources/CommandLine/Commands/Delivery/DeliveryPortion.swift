/// What of a session's text a delivery is given after each utterance.
enum DeliveryPortion: Sendable, Hashable {
    /// It by itself.
    case utterance
    /// It as it stands behind the one before, with a space between.
    case continuation
    /// All of them so far.
    case everything
}
