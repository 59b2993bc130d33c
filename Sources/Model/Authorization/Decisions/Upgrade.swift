/// Where a yes stands on its way from `whileInUse` to `always`.
public enum Upgrade: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client has not asked for always.
    case notRequested
    /// The client asked for always, and the person will be asked once, at a quiet moment. Until then the client is told
    /// `always`, and nothing that needs it happens.
    case provisional
    /// The person was shown the question. It is not put again; settings alone change it.
    case asked
}
