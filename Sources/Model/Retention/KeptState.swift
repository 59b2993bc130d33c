/// How far an item is. The states are stored, so that whatever ends the service in between is made up for at its next
/// start.
public enum KeptState: String, Sendable, Hashable, CaseIterable {
    /// Its file is being written; nobody can read it, because its key is in memory alone, or not recorded yet.
    case writing
    /// It is complete and recorded.
    case kept
    /// Its key is gone; the file and the record are still to follow.
    case erasing
}
