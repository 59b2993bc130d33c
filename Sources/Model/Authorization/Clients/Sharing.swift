/// What is known about whether what a client gets leaves this machine through it.
public enum Sharing: String, Sendable, Hashable, Codable, CaseIterable {
    /// It has no network, by the kernel's word.
    case verified
    /// It says that nobody else receives anything. That is its word alone.
    case declared
    /// It says who else does.
    case shared
    /// It says nothing about it.
    case undeclared

    /// - Parameters:
    ///   - practices: what the client's manifest declares; `nil` without one.
    ///   - hasNetwork: `false` only where that was looked at.
    public init(_ practices: DataPractices?, hasNetwork: Bool = true) {
        if !hasNetwork {
            self = .verified
        } else if let recipients = practices?.recipients {
            self = recipients.isEmpty ? .declared : .shared
        } else {
            self = .undeclared
        }
    }
}
