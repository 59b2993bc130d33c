/// A lease that the gate can still end.
struct LiveLease {
    let lease: Lease
    /// The process whose yes for one session it stands on, where it does.
    let onceOf: ProcessIdentity?
}
