import AuditExport
import Authorization
import CommandText
import Consent
import Foundation
import LinuxSystem
import SocketAPI

import enum Prompting.LineBreaking
import enum Prompting.OutsideText
import enum Prompting.TerminalColumns

/// All details of one settings entry: its reason, its decision, the program it applies to, and its last records.
struct SettingsDetails {
    let entry: SettingsEntry
    /// The client's records, oldest first.
    let records: [ConsentRecord]
    var timeZone = TimeZone.local

    static let mostRecords = 8

    private struct Item {
        let name: String
        let text: String
        /// Of the client.
        var isOutside = false
    }

    /// Names with their text; a text without a name continues the one above.
    private var items: [Item] {
        var items = [Item(name: "Status", text: SettingsWords.status(entry))]
        items += SettingsWords.notes(entry).map { note in
            Item(name: "", text: note, isOutside: entry.new.map(note.contains) ?? false)
        }
        if let notice = entry.notice { items.append(Item(name: "Declares", text: notice, isOutside: true)) }
        if let description = entry.usageDescription {
            items.append(Item(name: "Asks with", text: "“\(description)”", isOutside: true))
        }
        if let sharing = SettingsWords.sharing(entry) {
            items.append(Item(name: "Shared with", text: sharing, isOutside: true))
        }
        items += decided.map { Item(name: $0.0, text: $0.1) }
        if let program = entry.program { items.append(Item(name: "Given to", text: Self.text(program))) }
        if let program = entry.presentProgram { items.append(Item(name: "Is now", text: Self.text(program))) }
        let records = records.filter(isAboutEntry)
        // The last notice about the resource, line by line as shown.
        if let notice = records.compactMap({ $0[.notice] }).last {
            items.append(Item(name: "You were shown", text: notice, isOutside: true))
        }
        let last = records.suffix(Self.mostRecords).map { $0.summary(timeZone: timeZone) }
        items += last.enumerated().map {
            Item(name: $0.offset == 0 ? "Last records" : "", text: $0.element.trimmingCharacters(in: .whitespaces))
        }
        return items
    }

    private var decided: [(String, String)] {
        var items: [(String, String)] = []
        if let date = entry.decidedAt {
            items.append(("Decided", day(date) + (entry.indication.map { ", " + $0.words } ?? "")))
        }
        if entry.usedAt != nil { items.append(("Last used", entry.lastUse.map(day) ?? "not since then")) }
        if let date = entry.expiresAt { items.append(("Ends", day(date) + ", unless it is used before")) }
        if let date = entry.reviewAt { items.append(("Asked again", day(date) + ", whether always is still right")) }
        return items
    }

    private func isAboutEntry(_ record: ConsentRecord) -> Bool {
        switch record.text(.resource) {
        case entry.resource.rawValue?: true
        // A session has no resource.
        case nil: record.kind.rawValue.hasPrefix("session.") && (entry.resource != .microphone || record.usesMicrophone)
        default: false
        }
    }

    private func day(_ date: Date) -> String { DayAndTime.text(date, timeZone: timeZone) }

    private static func text(_ program: SettingsEntry.Program) -> String {
        (program.path ?? "a program") + " (\(program.sha256))"
    }

    /// Lines with the names in a column, none wider than the terminal. A name that is wider than its column has its own line.
    func lines(columns: Int) -> [String] {
        let column = columns < 60 ? 2 : 16
        return items.flatMap { item in
            let isNarrow = TerminalColumns.count(item.name) >= column
            let width = max(columns - column, 8)
            let lines =
                item.isOutside
                ? OutsideText.lines(item.text, width: width) : LineBreaking.lines(item.text, width: width)
            return (isNarrow ? [item.name] : [])
                + lines.enumerated().map { number, line in
                    TerminalColumns.padded(number == 0 && !isNarrow ? item.name : "", to: column) + line
                }
        }
    }
}

enum SettingsWords {
    /// What the program can do now.
    static func status(_ entry: SettingsEntry) -> String {
        if entry.restriction != nil { return "restricted by policy" }
        switch entry.verdict {
        case .denied: return "denied"
        case .authorized:
            if entry.isChanged == true || entry.new != nil { return "ask next time" }
            return Language.english.commandWording.allowed(
                entry.scope == .always ? .always : .whileInUse, entry.fidelity)
        case nil: return entry.isDeclared ? "ask next time" : "not declared"
        }
    }

    /// What the user should know beside the status, in one line; empty if nothing.
    static func flag(_ entry: SettingsEntry) -> String {
        if entry.isChanged == true { return "the program has changed" }
        if let waits = Language.english.words(for: entry.question) { return waits }
        if entry.question != nil { return "waits for an answer" }
        return entry.new == nil ? "" : "it declares more than you allowed"
    }

    static func resource(_ resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "speech recognition"
        case .microphone: "microphone"
        }
    }

    /// The declared recipients of what the client hears; `nil` without a manifest.
    static func sharing(_ entry: SettingsEntry) -> String? {
        guard entry.usageDescription != nil || entry.recipients != nil else { return nil }
        guard let recipients = entry.recipients else { return "not declared" }
        return recipients.isEmpty
            ? "no one, as declared; voicegate run --no-network enforces it" : recipients.joined(separator: ", ")
    }

    /// Sentences that a user should read beside the status.
    static func notes(_ entry: SettingsEntry) -> [String] {
        var notes: [String] = []
        if let reason = entry.restriction {
            notes.append("The administrator's policy forbids it" + (reason.isEmpty ? "." : ": \(reason)"))
        }
        if entry.verdict == nil, !entry.isDeclared {
            notes.append("Its manifest does not declare this, so it cannot ask for it.")
        }
        if entry.isAllowedOnce == true {
            let program = entry.name == entry.client ? "A program that runs now" : "“\(entry.name)”, which runs now,"
            notes.append("\(program) is allowed once: until it ends, or has been in the background for 10 s.")
        }
        if entry.isChanged == true {
            notes.append("The program has changed since you allowed it, and asks again at its next use.")
        }
        if let new = entry.new {
            notes.append("It declares more than you allowed, and asks at its next use: \(new)")
        }
        let asksAgain = entry.isChanged == true || entry.new != nil
        if !asksAgain, let waits = Language.english.words(for: entry.question) {
            let now =
                entry.question == .review
                ? "It is still allowed always" : "It requested permission for always. It is allowed while you use it"
            notes.append("\(now); \(waits).")
        }
        switch entry.question {
        case .firstUse, .identityChanged, .termsWidened:
            notes.append("Its prompt waits for your answer where the program runs.")
        case .temporaryFullFidelity: notes.append("It requests every word for one session; the prompt waits.")
        case .upgradeToAlways, .review, nil: break
        }
        return notes
    }
}
