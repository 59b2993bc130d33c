import ArgumentParser
import Authorization
import Foundation
import Glibc

extension Resource: ExpressibleByArgument {
    /// Takes a resource's name in any case.
    public init?(argument: String) {
        guard let match = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = match
    }
}

extension Scope: ExpressibleByArgument {
    /// Takes a scope's name in any case.
    public init?(argument: String) {
        guard let match = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = match
    }
}

extension Fidelity: ExpressibleByArgument {}

extension Language: ExpressibleByArgument {
    /// Takes a language tag or the name of a locale.
    public init?(argument: String) { self.init(tag: argument) }
}

/// A moment as a person gives it.
enum TimeArgument {
    @Sendable static func time(_ text: String) throws -> Date {
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            if let date = try? style.parse(text) { return date }
        }
        if let date = try? Date.ISO8601FormatStyle(timeZone: .current).year().month().day().parse(text) { return date }
        throw ValidationError("Give a day such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z.")
    }
}

/// A time as a person types it: a day of this machine's calendar, or a time in ISO 8601.
enum AuditTime {
    @Sendable static func read(_ text: String) throws -> Date {
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            if let date = try? style.parse(text) { return date }
        }
        if let date = try? Date.ISO8601FormatStyle(timeZone: .current).year().month().day().parse(text) { return date }
        throw ValidationError("Give a day such as 2026-11-21, or a time such as 2026-11-21T10:00:00Z.")
    }
}

/// A user of this machine, named or numbered.
enum UserNumber {
    @Sendable static func read(_ text: String) throws -> UInt32 {
        if let number = UInt32(text) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwnam_r(text, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
            throw ValidationError("This machine has no user \(text).")
        }
        return entry.pw_uid
    }
}

/// A person as they are named at the command line.
enum Person {
    /// A user's name becomes their number; anything else stays as it is: a number, or a pseudonym of the records.
    static func subject(_ name: String) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return name }
        return String(entry.pw_uid)
    }
}
