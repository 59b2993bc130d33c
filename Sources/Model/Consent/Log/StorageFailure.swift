/// An error of a storage that knows whether the transaction it ends can still be on the disk.
public protocol StorageFailure: Error {
    /// True after a failed write or sync: nobody can say what the disk holds until it is opened and read again.
    var leavesOutcomeUnknown: Bool { get }
}
