import Hummingbird

extension HTTPFields.Element.Name {
    /// The size of the log that the entries are of.
    static var checkpointSize: Self {
        guard let name = Self("voicegate-checkpoint-size") else { preconditionFailure("no name of a field") }
        return name
    }
}
