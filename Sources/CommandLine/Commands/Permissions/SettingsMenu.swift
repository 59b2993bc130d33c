import Authorization
import CommandClient
import CommandText
import Glibc
import SocketAPI

/// The settings as questions at a terminal: a numbered list, then what to change, until the user leaves.
struct SettingsMenu {
    let service: ServiceClient
    let output: Output
    /// The only client shown; `nil`: all.
    let shown: String?

    /// - Returns: `false` if nothing is decided and no client is known; nothing was shown then.
    func run() async throws -> Bool {
        var isFirst = true
        while true {
            let reply = try await service.settings()
            let entries = reply.entries.filter { shown == nil || $0.client == shown }
            if entries.isEmpty { return !isFirst }
            isFirst = false
            for line in Self.list(entries) { output.note(line) }
            if reply.muted { output.warn(Language.ofPerson.commandWording.everythingMuted(reply.mutedBy)) }
            for problem in reply.problems { output.warn(problem) }
            guard let line = try await output.answer(to: "Number to see and change, Enter to leave:"), !line.isEmpty
            else { return true }
            guard let number = Int(line), entries.indices.contains(number - 1) else {
                output.note("Type a number from 1 to \(entries.count).")
                continue
            }
            try await change(entries[number - 1])
        }
    }

    static func list(_ entries: [SettingsEntry]) -> [String] {
        let rows = entries.enumerated().map { place, entry in
            [
                "\(place + 1)", entry.client, SettingsWords.resource(entry.resource), SettingsWords.status(entry),
                SettingsWords.flag(entry),
            ]
        }
        return TextTable.lines(rows)
    }

    private func change(_ entry: SettingsEntry) async throws {
        let records = try await service.records(of: entry.client)
        output.note("")
        for line in SettingsDetails(entry: entry, records: records).lines(columns: 100) { output.note(line) }
        let choices = SettingsChoice.offered(for: entry)
        let keys = choices.map { "[\($0.key)] \($0.words)" }.joined(separator: "  ")
        // Input that came before the details could be read, such as the rest of a paste, is not an answer to them.
        try await Task.sleep(for: .milliseconds(500))
        tcflush(STDIN_FILENO, TCIFLUSH)
        guard let line = try await output.answer(to: "\(keys)  [Enter] Back:"), !line.isEmpty else { return }
        guard let choice = choices.first(where: { $0.key == line.lowercased() }) else {
            return output.note("Nothing was changed.")
        }
        do {
            try await PasswordAgent.beside(service) {
                try await service.changeSettings(of: entry.client, choice.change)
            }
            output.note("Changed. It applies from now on.")
        } catch let error as ClientError {
            output.warn("\(error)")
        }
    }
}

/// One answer that the settings offer for an entry.
struct SettingsChoice {
    let key: String
    let words: String
    let change: SettingsChange

    /// Those that change something, as at a prompt; always only as the upgrade of a permission.
    static func offered(for entry: SettingsEntry) -> [SettingsChoice] {
        var choices: [SettingsChoice] = []
        let isAllowed = entry.verdict == .authorized && entry.isChanged != true
        func allow(_ key: String, _ words: String, scope: Scope?, fidelity: Fidelity? = nil) {
            choices.append(
                SettingsChoice(
                    key: key, words: words, change: SettingsChange(allowing: entry, scope: scope, fidelity: fidelity)))
        }
        if !isAllowed || entry.scope == .always || entry.question != nil {
            allow("w", "While using", scope: .whileInUse)
        }
        if isAllowed, entry.scope != .always || entry.question != nil { allow("a", "Always", scope: .always) }
        if isAllowed, entry.offersFidelity == true {
            entry.fidelity == .reduced
                ? allow("f", "Every word", scope: entry.scope, fidelity: .full)
                : allow("f", "Phrases only", scope: entry.scope, fidelity: .reduced)
        }
        if entry.verdict != .denied {
            choices.append(
                .init(key: "d", words: "Don't allow", change: .init(resource: entry.resource, choice: .deny)))
        }
        if entry.verdict != nil || entry.isAllowedOnce == true {
            choices.append(
                .init(key: "n", words: "Ask next time", change: .init(resource: entry.resource, choice: .ask)))
        }
        return choices
    }
}
