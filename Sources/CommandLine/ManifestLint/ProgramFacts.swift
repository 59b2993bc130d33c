/// What is known of a file that a manifest names as a program.
public struct ProgramFacts: Sendable, Hashable {
    public let isExecutable: Bool
    /// Whoever can write it can be the client.
    public let isWritableByAll: Bool

    /// - Parameter isExecutable: a regular file that can be run.
    public init(isExecutable: Bool, isWritableByAll: Bool) {
        self.isExecutable = isExecutable
        self.isWritableByAll = isWritableByAll
    }
}
