import Authorization

/// Whoever listens for a client while none of its sessions does.
protocol SessionNeighbour: Sendable {
    /// A session of the client begins; returns when the device is free.
    func makeRoom(for requester: Requester) async
    func sessionEnded(of requester: Requester) async
}
