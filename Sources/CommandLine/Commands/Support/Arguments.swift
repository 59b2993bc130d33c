import ArgumentParser
import Authorization
import CommandText
import Consent
import Foundation
import LinuxSystem
import SocketAPI
import Speech

/// A value whose name is read in any case.
protocol NamedArgument: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension NamedArgument {
    public init?(argument: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = found
    }
}

extension Resource: NamedArgument {}
extension Scope: NamedArgument {}
extension Fidelity: ExpressibleByArgument {}
extension TaskHint: ExpressibleByArgument {}

extension Language: ExpressibleByArgument {
    /// Reads a language tag or the name of a locale.
    public init?(argument: String) { self.init(tag: argument) }
}

/// - Throws: unless the arguments are valid.
func require(_ isValid: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
    if !isValid { throw ValidationError(message()) }
}

/// - Throws: unless there is a value.
func require<Value>(_ value: Value?, _ message: @autoclosure () -> String) throws(ValidationError) -> Value {
    if let value { return value }
    throw ValidationError(message())
}

/// - Throws: if the arguments are not valid.
func refuse(if isInvalid: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
    try require(!isInvalid, message())
}

extension Collection {
    /// The only element whose identifier begins so.
    ///
    /// - Parameters:
    ///   - noun: what it is, in the singular.
    ///   - command: lists the elements.
    func one(
        _ beginning: String, _ identifier: (Element) -> String, _ noun: String, list command: String
    ) throws(CommandError) -> Element {
        let found = filter { !beginning.isEmpty && identifier($0).hasPrefix(beginning.lowercased()) }
        try require(
            found.count < 2, .noInput, "\(found.count) \(noun)s begin with \(beginning). Give more of the identifier.")
        return try require(
            found.first, .noInput, "No \(noun) begins with \(beginning). To list the \(noun)s: \(command)")
    }
}

/// Reads argument values that have no dedicated type.
enum ArgumentReader {
    @Sendable static func client(_ text: String) throws -> String {
        try require(
            ClientIdentifier(rawValue: text) != nil, "A bundle identifier is required, such as io.voicegate.cli.")
        return text
    }

    @Sendable static func time(_ text: String) throws -> Date {
        if let date = TimeArgument.date(text) { return date }
        throw ValidationError("A time is required, such as \(TimeArgument.forms).")
    }

    /// A user by name or number.
    @Sendable static func user(_ text: String) throws -> UInt32 {
        let number = try require(UInt32(text) ?? UserNames.number(of: text), "This machine has no user \(text).")
        return number
    }

    /// A user's number for their name; other texts are numbers or pseudonyms of the records already.
    ///
    /// - Throws: `ValidationError` if the text is empty or longer than 128 bytes.
    @Sendable static func subject(_ text: String) throws -> String {
        try require((1...128).contains(text.utf8.count), "--user takes a user's name or number, or a pseudonym.")
        return UserNames.number(of: text).map { String($0) } ?? text
    }
}

/// The records that a command reads.
struct RecordOptions: ParsableArguments {
    @Option(
        help: .init("Only records about this program.", valueName: "id"), completion: .clients,
        transform: ArgumentReader.client)
    var client: String?

    @Option(
        help: .init("Only records from this time on: \(TimeArgument.forms).", valueName: "time"),
        transform: ArgumentReader.time)
    var since: Date?

    @Option(help: .init("Only records before this time.", valueName: "time"), transform: ArgumentReader.time)
    var until: Date?

    @Option(
        help: .init("Only records about this user, by name, number or pseudonym.", valueName: "user"),
        transform: ArgumentReader.subject)
    var user: String?

    func validate() throws {
        if let since, let until, since >= until { throw ValidationError("--since must be before --until.") }
    }

    var filter: AuditFilter {
        AuditFilter(since: since, until: until, client: client.flatMap(ClientIdentifier.init(rawValue:)), subject: user)
    }
}
