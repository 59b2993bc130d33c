import ArgumentParser
import Foundation

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
