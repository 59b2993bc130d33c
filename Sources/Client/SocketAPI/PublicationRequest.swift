/// `POST /v1/audit/publications`: a checkpoint left this machine.
public struct PublicationRequest: Sendable, Hashable, Codable {
    /// Characters of a destination.
    public static let longestDestination = 1024

    /// The signed note.
    public let checkpoint: String
    /// Where to, for people: a file's path, a command's name.
    public let destination: String

    public init(checkpoint: String, destination: String) {
        self.checkpoint = checkpoint
        self.destination = destination
    }
}
