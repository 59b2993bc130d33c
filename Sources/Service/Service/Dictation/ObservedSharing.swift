import Authorization
import LinuxSystem
import Logging
import Speech

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
        let finding = await connection.network(of: requester)
        if case .closed(let networks) = finding { self.networks = networks } else { networks = nil }
        atStart = Sharing(requester.client.manifest?.practices, hasNetwork: networks == nil)
        if case .unclear(let reason) = finding { tell("a client in a network of its own is not verified", reason) }
    }

    /// A client that has ended is known by the networks it had; one that runs is looked at anew, as at the start.
    func atEnd() async -> Sharing {
        guard let networks else { return atStart }
        var problem = networks.areClosed() ? nil : "its network got another device than lo"
        if problem == nil, connection.isAlive {
            switch await connection.network(of: requester) {
            case .closed: break
            case .hosts: problem = "it went into the host's network"
            case .unclear(let reason): problem = reason
            }
            // One that ends meanwhile cannot be looked at, and has done nothing since.
            if !connection.isAlive { problem = nil }
        }
        guard let problem else { return .verified }
        tell("a client without a network had one at the end of its session", problem)
        return Sharing(requester.client.manifest?.practices)
    }

    private func tell(_ what: Logger.Message, _ reason: String) {
        Logger(label: "voicegated").warning(
            what,
            metadata: [
                "client": "\(requester.client.identifier)", "reason": "\(reason)",
                "process": "\(requester.caller.process.processIdentifier)",
            ])
    }
}
