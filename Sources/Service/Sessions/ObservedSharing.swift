import Authorization
import Dictation
import LinuxProcesses
import Logging

/// Whether a client's session can leave the machine: what it says, and whether it has a network by the kernel's word.
struct ObservedSharing: SharingWatch {
    let atStart: Sharing
    private let connection: Connection
    private let requester: Requester
    private let networks: ClosedNetworks?

    /// Looks at the client's network.
    init(_ connection: Connection, _ requester: Requester) async {
        self.connection = connection
        self.requester = requester
        networks = await connection.closedNetworks(of: requester)
        atStart = Sharing(requester.client.manifest?.practices, hasNetwork: networks == nil)
    }

    /// A client that has ended is known by the networks it had; one that runs is looked at anew, as at the start.
    func atEnd() async -> Sharing {
        guard let networks else { return atStart }
        let wasClosed = networks.areClosed()
        var isClosed = wasClosed
        if wasClosed, connection.isAlive {
            let now = await connection.closedNetworks(of: requester)
            // One that ends meanwhile cannot be looked at, and has done nothing since.
            isClosed = now != nil || !connection.isAlive
        }
        guard !isClosed else { return .verified }
        let now = Sharing(requester.client.manifest?.practices)
        Logger(label: "voicegated").warning(
            "a client without a network had one at the end of its session",
            metadata: [
                "client": "\(requester.client.identifier)",
                "process": "\(requester.caller.process.processIdentifier)", "sharing": "\(now.rawValue)",
            ])
        return now
    }
}
