import SocketAPI

/// The sockets that the service listens on, all bound or handed over before it touches its state.
struct ServiceSockets {
    let http: ListeningSocket
    /// `nil`: a service manager has bound none.
    let wyoming: ListeningSocket?
    /// `nil`: Wyoming has no TCP.
    let loopback: LoopbackSocket?

    init(_ options: VoicegateDaemon, _ configuration: ConfigurationFile) throws(ServiceError) {
        let activated = ActivatedSockets.ofProcess
        http = try ListeningSocket(path: options.socket, activated: activated, state: options.stateDirectory)
        wyoming = try ListeningSocket.further(
            path: ServicePaths.wyoming(besideSocket: options.socket), activated: activated,
            state: options.stateDirectory)
        if let tcp = configuration.wyoming?.tcp { loopback = try LoopbackSocket(tcp) } else { loopback = nil }
    }
}
