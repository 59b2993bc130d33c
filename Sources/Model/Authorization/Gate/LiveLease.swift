/// A lease that the gate can still end.
struct LiveLease {
    let lease: Lease
    /// The process that took it; a yes for one session is its alone.
    let process: ProcessIdentity
}
