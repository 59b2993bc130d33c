import Authorization
import Foundation
import SocketAPI

/// The settings as a table, and below it what a person should know about its lines.
enum SettingsText {
    static func lines(_ reply: SettingsReply, timeZone: TimeZone = .current) -> [String] {
        guard !reply.entries.isEmpty else { return [] }
        let rows = reply.entries.map { entry in
            [
                entry.client, entry.resource.rawValue, SettingsWords.standing(entry),
                entry.decidedAt.map { DayAndTime.text($0, timeZone: timeZone) } ?? "-",
                entry.indication.map(SettingsWords.indication) ?? "-",
            ]
        }
        let notes = reply.entries.flatMap { entry in
            SettingsWords.notes(entry).map { "\(entry.client), \(entry.resource.rawValue): \($0)" }
        }
        return TextTable.lines([["CLIENT", "RESOURCE", "STATUS", "DECIDED", "HOW"]] + rows)
            + (notes.isEmpty ? [] : [""] + notes)
    }
}
