import ArgumentParser
import AuditExport
import Authorization
import Base
import CommandText
import Consent
import FleetDatabase
import FleetModel
import Foundation
import LinuxSystem
import SocketAPI

/// Options of every command.
struct FleetOptions: ParsableArguments {
    @Option(
        help: .init(
            "The database, as a connection string or URI of PostgreSQL. (default: PGSERVICE, PGHOST, PGDATABASE and so on)",
            valueName: "connection"))
    var database = ""

    @Flag(help: "Print JSON, one object per line, also for errors.")
    var json = false

    @Flag(help: "Print only results and errors.")
    var quiet = false
}

/// Which machines a command is about.
struct HostSelection: ParsableArguments {
    @Argument(help: .init("Names or numbers of machines. (default: all that you may see)", valueName: "host"))
    var hosts: [String] = []

    @Option(help: .init("Only machines of this tenant.", valueName: "name"))
    var tenant: String?

    @Option(help: .init("Only machines of this department.", valueName: "name"))
    var department: String?

    var filter: HostFilter { HostFilter(hosts: hosts, tenant: tenant, department: department) }
}

/// Which machines are read; by default all.
struct HostFilter: Sendable, Equatable {
    /// Names or numbers; empty: all.
    var hosts: [String] = []
    var tenant: String?
    var department: String?
}

/// Of the records of many machines, the ones with these values; the words of `voicegate audit records`.
struct RecordOptions: ParsableArguments {
    @Option(help: .init("Only records about this program.", valueName: "id"), transform: Self.client)
    var client: ClientIdentifier?

    @Option(
        help: .init("Only records from this time on: \(TimeArgument.forms).", valueName: "time"), transform: Self.time)
    var since: Date?

    @Option(help: .init("Only records before this time.", valueName: "time"), transform: Self.time)
    var until: Date?

    @Option(help: .init("Only records about this user, by number or pseudonym.", valueName: "user"))
    var user: String?

    func validate() throws {
        if let since, let until, since >= until { throw ValidationError("--since must be before --until.") }
        if let user, !(1...128).contains(user.utf8.count) {
            throw ValidationError("--user takes a user's number or a pseudonym.")
        }
    }

    var filter: AuditFilter { AuditFilter(since: since, until: until, client: client, subject: user) }

    @Sendable static func time(_ text: String) throws -> Date {
        if let date = TimeArgument.date(text) { return date }
        throw ValidationError("A time is required, such as \(TimeArgument.forms).")
    }

    @Sendable private static func client(_ text: String) throws -> ClientIdentifier {
        if let client = ClientIdentifier(rawValue: text) { return client }
        throw ValidationError("A bundle identifier is required, such as io.voicegate.cli.")
    }
}

protocol FleetQuestion: AsyncParsableCommand {
    var options: FleetOptions { get }

    func run(_ context: FleetContext) async throws
}

extension FleetQuestion {
    func run() async throws {
        // A closed reader must be an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let context = FleetContext(options: options)
        do {
            try await run(context)
        } catch let error as ValidationError {
            throw error
        } catch let code as ExitCode {
            throw code
        } catch {
            throw ExitCode(context.report(error))
        }
    }
}

/// Why a command failed.
struct FleetFailure: Error {
    /// For programs.
    let code: String
    /// What happened, then what to do.
    let message: String
    /// Of sysexits.h, if it has one.
    let status: Int32

    static func badData(_ message: String) -> FleetFailure {
        FleetFailure(code: "doesNotVerify", message: message, status: 65)
    }
    static func noInput(_ message: String) -> FleetFailure {
        FleetFailure(code: "noInput", message: message, status: 66)
    }
    static func cannotWrite(_ message: String) -> FleetFailure {
        FleetFailure(code: "cannotWrite", message: message, status: 74)
    }

    /// The reader of the output is gone: not a failure.
    static let outputClosed = FleetFailure(code: "", message: "", status: 0)
}

extension FleetFailure {
    init(_ error: any Error) {
        switch error {
        case let error as FleetFailure: self = error
        case let error as CopyProblem: self = .badData(error.message)
        case let error as RecordProblem:
            self = .badData("\(error.message) To check the whole log: voicegate-fleet verify")
        case let error as FileError: self = .noInput("\(error.path) cannot be read: \(error.reason).")
        case let error as DatabaseError: self.init(error)
        case let error as ExportError:
            switch error.code {
            case .outputClosed: self = .outputClosed
            case .exists, .cannotWrite: self = .cannotWrite(error.message)
            case .doesNotVerify: self = .badData(error.message)
            }
        default: self.init(code: "internalError", message: "\(error)", status: 70)
        }
    }

    private init(_ error: DatabaseError) {
        switch error.state {
        case _ where error.state.hasPrefix("28"), "42501":
            self.init(code: "notAllowed", message: "The database refuses: \(error.message)", status: 77)
        case "3D000", "3F000", "42P01":
            self.init(
                code: "badConfiguration",
                message:
                    "This is not a collector's database: \(error.message). Run voicegate-collector migrate, or choose "
                    + "another with --database.", status: 78)
        case "55P03":
            self.init(
                code: "unavailable",
                message: "The records are being read, by a question or a backup. Nothing was changed: try again later.",
                status: 69)
        case _ where error.isTransient:
            self.init(code: "unavailable", message: "The database is unavailable: \(error.message)", status: 69)
        default: self.init(code: "internalError", message: error.description, status: 70)
        }
    }
}

/// Where a command reads and writes.
struct FleetContext: Sendable {
    let options: FleetOptions

    func reader() async throws -> FleetReader {
        FleetReader(connection: try await DatabaseConnection(settings: options.database))
    }

    func line(_ text: String) throws {
        guard DescriptorBytes.write(Array((text + "\n").utf8), to: STDOUT_FILENO) else {
            throw errno == EPIPE
                ? FleetFailure.outputClosed
                : FleetFailure.cannotWrite("The output cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Writes a value as JSON with `--json`, and as lines of text otherwise. Machines and programs chose their names, which
    /// must not control the terminal.
    func result(_ value: some Encodable, _ lines: @autoclosure () -> [String]) throws {
        if options.json {
            try line(String(decoding: JSONCoding.encoder().encode(value), as: UTF8.self))
        } else {
            for text in lines() { try line(DisplayText.escaped(text)) }
        }
    }

    /// A message that `--quiet` omits.
    func note(_ text: String) { if !options.quiet { message(text) } }

    /// - Returns: the exit code.
    func report(_ error: any Error) -> Int32 {
        let failure =
            error is CancellationError
            ? FleetFailure(code: "interrupted", message: "Interrupted.", status: 130)
            : FleetFailure(error)
        guard !failure.message.isEmpty else { return failure.status }
        if options.json {
            let reply = ErrorReply(code: failure.code, message: failure.message)
            if let data = try? JSONCoding.encoder().encode(reply) { try? line(String(decoding: data, as: UTF8.self)) }
        }
        message("voicegate-fleet: " + failure.message)
        return failure.status
    }

    private func message(_ text: String) {
        _ = DescriptorBytes.write(Array((DisplayText.escaped(text) + "\n").utf8), to: STDERR_FILENO)
    }
}
