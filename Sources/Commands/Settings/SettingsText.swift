import Authorization
import Foundation
import SocketAPI

/// The settings as a table.
enum SettingsText {
    static func lines(_ reply: SettingsReply, timeZone: TimeZone = .current) -> [String] {
        guard !reply.entries.isEmpty else { return [] }
        let rows = reply.entries.map { entry in
            [
                entry.client, entry.resource.rawValue, StatusText.word(entry.status),
                entry.decidedAt.map { DayAndTime.text($0, timeZone: timeZone) } ?? "-",
                entry.indication.map(phrase) ?? "-",
            ]
        }
        return TextTable.lines([["CLIENT", "RESOURCE", "STATUS", "DECIDED", "HOW"]] + rows)
    }

    private static func phrase(_ indication: Indication) -> String {
        switch indication {
        case .terminal: "at the terminal"
        case .agent: "at an agent's terminal"
        case .desktop: "on the desktop"
        case .scriptedAgent: "by a script"
        case .settings: "in settings"
        }
    }
}
