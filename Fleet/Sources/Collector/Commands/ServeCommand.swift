import ArgumentParser
import Foundation
import Logging

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Runs the collector until SIGTERM or SIGINT.",
        discussion:
            "Options override the configuration. Several collectors may share one database and one key file's keys.")

    @OptionGroup var database: DatabaseOptions
    @Option(help: "address:port, [address]:port, or unix:path. (default: 127.0.0.1:8443)")
    var listen: String?
    @Option(help: ArgumentHelp("The file with the keys that cosign; see “key new”.", valueName: "path"))
    var keyFile: String?
    @Option(help: ArgumentHelp("The TLS certificate with its chain, PEM.", valueName: "path"))
    var certificate: String?
    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "path"))
    var certificateKey: String?
    @Option(
        name: .customLong("client-ca"),
        help: ArgumentHelp("Clients must have a certificate of these authorities, PEM.", valueName: "path"))
    var clientCA: String?
    @Option(help: "'open': everybody may read the logs' tiles; a path: those who have the token in this file.")
    var monitoring: String?
    @Option(help: ArgumentHelp("Seconds that a connection may wait for a request.", visibility: .hidden))
    var idleTimeout: Int64?

    func run() async throws {
        var settings = try database.settings()
        if let listen { settings.listen = listen }
        if let keyFile { settings.keyFile = keyFile }
        if let certificate { settings.certificate = certificate }
        if let certificateKey { settings.certificateKey = certificateKey }
        if let clientCA { settings.clientCA = clientCA }
        if let monitoring { settings.monitoring = monitoring }
        var times = ConnectionLimits.Times()
        if let idleTimeout { times.idle = .seconds(idleTimeout) }
        // The journal adds the time.
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let logger = Logger(label: "voicegate-collector")
        let address = settings.listen
        let server = CollectorServer(
            settings: settings, keys: try CollectorKeys(file: settings.keyFile), logger: logger,
            onListening: { port in
                logger.notice("listening", metadata: ["address": "\(address)", "port": "\(port ?? 0)"])
            }, times: times)
        if settings.certificate == nil { logger.notice("plain text, for this machine alone") }
        try await server.run()
    }
}

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Makes and shows the keys that cosign.", subcommands: [New.self, Show.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the witness's and the mirror's key, and prints their verifier keys.")

        @Argument(help: "A name such as collector.example.org.") var name: String
        @Argument(help: ArgumentHelp("The file to make.", valueName: "path")) var file = CollectorSettings().keyFile

        func run() throws {
            let keys = try CollectorKeys(name: name)
            try keys.write(to: file)
            print(keys.verifiers)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the witness's and the mirror's verifier key, a line each.")

        @Argument(help: ArgumentHelp("The key file.", valueName: "path")) var file = CollectorSettings().keyFile

        func run() throws { print(try CollectorKeys(file: file).verifiers) }
    }
}
