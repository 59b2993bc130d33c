/// A device as a person chooses it.
public struct CaptureDevice: Sendable, Hashable, Codable {
    /// ALSA's PCM name, as `--device` takes it.
    public let name: String
    public let description: String
    /// Why it cannot be used, or `nil` when it can.
    public let problem: String?

    public init(name: String, description: String, problem: String?) {
        self.name = name
        self.description = description
        self.problem = problem
    }
}
