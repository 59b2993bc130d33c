import ArgumentParser
import Logging
import ServiceLifecycle

/// `voicegate-sender run`: until SIGTERM or SIGINT.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Send the log as it grows, and report at each interval.")

    @OptionGroup var options: SenderOptions

    @Option(help: ArgumentHelp("Seconds to wait after a first failure.", visibility: .hidden))
    var firstPause = 1.0

    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let logger = Logger(label: "voicegate-sender")
        try await reporting {
            let credential = try options.credentialFile.read()
            try await HTTPClients.with(
                trusting: credential.certificates, showing: credential.clientCertificate
            ) { clients in
                let collector = try CollectorConnection(credential, clients)
                if !collector.isEncrypted {
                    logger.warning("the connection to the collector is not encrypted; it stays on this machine")
                }
                let forwarding = Forwarding(
                    service: ServiceConnection(socket: options.socket, clients), collector: collector,
                    interval: .seconds(credential.interval), backOff: BackOff(first: .seconds(firstPause)),
                    logger: logger)
                try await ServiceGroup(
                    configuration: ServiceGroupConfiguration(
                        services: [.init(service: forwarding)], gracefulShutdownSignals: [.sigterm, .sigint],
                        logger: logger)
                ).run()
            }
        }
    }
}
