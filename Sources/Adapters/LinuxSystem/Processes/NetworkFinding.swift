/// What was found about the network of a client.
public enum NetworkFinding: Sendable {
    /// It has none, but networks that lead nowhere; to be kept as long as the session.
    case closed(ClosedNetworks)
    /// The service's own, or it cannot be looked at.
    case hosts
    /// It has one of its own, which may lead somewhere: why that is possible, as the end of a sentence.
    case unclear(String)
}
