import Authorization

extension ConnectedCaller {
    /// Looks for a network that the client has. Blocks.
    ///
    /// - Parameter acting: the caller as the client that it is: where VoiceGate's command line runs for another program, that
    ///   program is looked at, too.
    public func network(actingAs acting: Caller) -> NetworkFinding {
        let clients = [caller.process] + (acting.responsible.map { [$0] } ?? [])
        // One that had ended before could not be looked at.
        guard clients.allSatisfy({ $0.processIdentifier > 0 }), isAlive else { return .hosts }
        let finding = NetworkInspector(root: inspectionRoot).finding(about: clients, connection: socketInode)
        return isAlive ? finding : .unclear("it ended")
    }
}
