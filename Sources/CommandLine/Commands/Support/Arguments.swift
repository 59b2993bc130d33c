import ArgumentParser
import Authorization
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

/// Reads argument values that are not types of their own.
enum ArgumentReader {
    @Sendable static func client(_ text: String) throws -> String {
        guard ClientIdentifier(rawValue: text) != nil else {
            throw ValidationError("A bundle identifier is required, such as io.voicegate.cli.")
        }
        return text
    }

    /// A day of the local calendar, or a time in ISO 8601.
    @Sendable static func time(_ text: String) throws -> Date {
        if let date = JSONCoding.date(text) { return date }
        if let date = try? Date.ISO8601FormatStyle(timeZone: .current).year().month().day().parse(text) { return date }
        throw ValidationError("A day such as 2026-11-21 or a time such as 2026-11-21T10:00:00Z is required.")
    }

    /// A user by name or number.
    @Sendable static func user(_ text: String) throws -> UInt32 {
        guard let number = UInt32(text) ?? UserNames.number(of: text) else {
            throw ValidationError("This machine has no user \(text).")
        }
        return number
    }

    /// A user's number for their name; other texts are numbers or pseudonyms of the records already.
    static func subject(_ text: String) -> String { UserNames.number(of: text).map { String($0) } ?? text }
}
