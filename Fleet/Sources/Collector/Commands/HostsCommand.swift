import ArgumentParser
import CommandText
import Consent
import FleetDatabase
import FleetModel
import Foundation

struct HostsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hosts", abstract: "Lists the hosts with their states, tab-separated.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        for host in try await database.store().hosts() { print(host.joined(separator: "\t")) }
    }
}

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Accepts or revokes a host's key.", subcommands: [Accept.self, Revoke.self])

    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accepts a key that the log itself cannot prove: the former one was lost.")

        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The host's name or number.") var host: String
        @Argument(help: "The verifier key, as “voicegate audit checkpoint” prints it on that machine.") var key:
            VerifierKey

        func run() async throws { try await database.store().accept(key.verifier, of: host) }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes a stolen key, and marks the records that it signed since then.")

        @OptionGroup var database: DatabaseOptions
        @Option(
            help: "When it was stolen: \(TimeArgument.forms).",
            transform: { text in
                guard let date = TimeArgument.date(text), date <= Date() else {
                    throw ValidationError("A time that is past is required, such as \(TimeArgument.forms).")
                }
                return date
            })
        var since: Date
        @Argument(help: "The host's name or number; a revoked host's number.") var host: String
        @Argument(help: "The verifier key.") var key: VerifierKey

        func run() async throws {
            let first = try await database.store().revoke(key: key.verifier, of: host, since: Timestamp(since))
            print("Records from \(first) on are marked.")
        }
    }
}

/// A verifier key of a log on the command line.
struct VerifierKey: ExpressibleByArgument {
    let verifier: NoteVerifier

    init?(argument: String) {
        guard let key = NoteVerifier(text: argument), key.algorithm == .ed25519 else { return nil }
        verifier = key
    }
}

struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revokes a host: its token and keys count no longer, its records stay.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The host's name or number.") var host: String

    func run() async throws { try await database.store().revoke(host: host) }
}

struct CloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Closes an alarm that you have looked into. Its evidence stays.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The host's name or number.") var host: String
    @Argument(help: ArgumentHelp("The alarm.", valueName: "kind")) var kind: AlarmKind

    func run() async throws { try await database.store().close(kind, of: host) }
}

extension AlarmKind: ExpressibleByArgument {}
