import ArgumentParser
import Logging
import ServiceLifecycle

/// `voicegate-sender run`: until SIGTERM or SIGINT.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Send the log as it grows, and report at each interval.")

    @OptionGroup var options: SenderOptions

    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let logger = Logger(label: "voicegate-sender")
        try await reporting {
            let credential = try options.credentialFile.read()
            try await HTTPClients.with(trusting: credential.certificates) { clients in
                let collector = try CollectorConnection(credential, clients)
                if !collector.isEncrypted {
                    logger.warning("the connection to the collector is not encrypted; it stays on this machine")
                }
                let forwarding = Forwarding(
                    service: ServiceConnection(socket: options.socket, clients), collector: collector,
                    interval: .seconds(credential.interval), logger: logger)
                try await ServiceGroup(
                    configuration: ServiceGroupConfiguration(
                        services: [.init(service: forwarding)], gracefulShutdownSignals: [.sigterm, .sigint],
                        logger: logger)
                ).run()
            }
        }
    }
}
