/// What a log has to sign with, and what it signed last.
struct LogNotary {
    let origin: String
    let store: any CheckpointStore
    var keys: LogKeys
    var last: SignedNote?
    /// Of `last`; nothing was signed yet: 0.
    var lastSize: UInt64 = 0
}
