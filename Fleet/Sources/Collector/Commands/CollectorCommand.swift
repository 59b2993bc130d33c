import ArgumentParser
import FleetDatabase
import Foundation
import Logging
import SocketAPI

/// `voicegate-collector`
public struct CollectorCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "voicegate-collector",
        abstract: "Stores the consent logs of many machines in PostgreSQL, witnesses them, and raises alarms.",
        discussion: """
            serve runs the collector. The other commands are the administrator's, and speak to the database directly.
            """,
        version: ServiceVersion.current,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, TokenCommand.self, HostsCommand.self, KeysCommand.self,
            RevokeCommand.self, CloseCommand.self, KeyCommand.self,
        ])

    public init() {}
}

/// What every command needs to find the database.
struct DatabaseOptions: ParsableArguments {
    @Option(
        name: .customLong("configuration"),
        help: "The configuration, YAML. (default: /etc/voicegate-collector/config.yaml, if it exists)")
    var file: String?

    @Option(
        help:
            "libpq's connection string or URI; overrides the configuration. PGHOST and so on fill in what is not named."
    )
    var database: String?

    func settings() throws -> CollectorSettings {
        var settings = try CollectorSettings.read(file)
        if let database { settings.database = database }
        return settings
    }

    /// The store, after its schema was checked.
    func store() async throws -> FleetStore {
        let store = FleetStore(
            DatabasePool(settings: try settings().database, limit: 2), logger: Logger(label: "voicegate-collector"))
        try await store.check()
        return store
    }
}

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Makes the database's schema, or brings it to this version.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let connection = try await DatabaseConnection(settings: try database.settings().database)
        let applied = try await Migrator().apply(to: connection)
        print(applied.isEmpty ? "The schema is up to date." : "Applied: \(applied.joined(separator: ", ")).")
    }
}

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes tokens by which machines enrol.", subcommands: [Create.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a token with which one machine can enrol once.")

        @OptionGroup var database: DatabaseOptions
        @Option(help: "The only host that may use it. (default: the machine names itself)")
        var name: String?
        @Option(help: "The organisation that the host belongs to.")
        var tenant = "default"
        @Option(help: "A part of the organisation; auditors may be limited to one.")
        var department = ""
        @Option(help: "Hours until it expires.")
        var hours = 72

        func validate() throws {
            guard (1...24 * 366).contains(hours), !tenant.isEmpty else {
                throw ValidationError("The token must have a tenant, and expire within a year.")
            }
        }

        func run() async throws {
            let token = try await database.store().newEnrolmentToken(
                tenant: tenant, department: department, host: name, hours: hours)
            print(token.text)
        }
    }
}
