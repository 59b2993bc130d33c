import NIOCore
import Server
import SocketAPI
import WyomingEngine

/// The sockets that the service listens on, bound or taken over before it opens its state.
struct ServiceSockets {
    let http: ListeningSocket
    /// `nil`: a service manager has bound other sockets only.
    let wyoming: ListeningSocket?
    /// `nil`: Wyoming has no TCP.
    let loopback: ListeningSocket?

    init(_ options: VoicegateDaemon, _ configuration: ConfigurationFile) throws(ServiceError) {
        let activated = ActivatedSockets.ofProcess
        let (path, state) = (ServicePaths.wyoming(besideSocket: options.socket), options.stateDirectory)
        http = try ListeningSocket(path: options.socket, activated: activated, state: state)
        let isWanted = activated.descriptors.isEmpty || activated.descriptors[path] != nil
        wyoming = isWanted ? try ListeningSocket(path: path, activated: activated, state: state) : nil
        let tcp = configuration.wyoming?.tcp
        loopback = if let tcp { try Self.loopback(tcp) } else { nil }
    }

    /// - Parameter text: `127.0.0.1:10300` or `[::1]:10300`: numbers only, so that no name service decides.
    private static func loopback(_ text: String) throws(ServiceError) -> ListeningSocket {
        guard let (host, port) = EngineAddress.hostAndPort(text[...]),
            let address = try? SocketAddress(ipAddress: host, port: port), address.isLoopback
        else {
            throw ServiceError(
                code: .configuration,
                message: "“\(text.prefix(60))” of wyoming: tcp: is not a loopback address with a port, such as "
                    + "127.0.0.1:10300 or [::1]:10300. Wyoming has no passwords, so no other address is served.")
        }
        return try ListeningSocket(loopback: address, named: text)
    }
}
