import Authorization

extension ConnectedCaller {
    /// Looks for a network that the client has. Blocks.
    ///
    /// - Parameter acting: the caller as the client that it is: where VoiceGate's command line runs for another program, that
    ///   program is looked at, too.
    /// - Returns: what it has instead, when it has none; keep that as long as the session.
    public func closedNetworks(actingAs acting: Caller) -> ClosedNetworks? {
        let clients = [caller.process] + (acting.responsible.map { [$0] } ?? [])
        // One that had ended before could not be looked at.
        guard clients.allSatisfy({ $0.processIdentifier > 0 }), isAlive else { return nil }
        let networks = NetworkInspector(root: inspectionRoot).closedNetworks(of: clients, connection: socketInode)
        return isAlive ? networks : nil
    }
}
