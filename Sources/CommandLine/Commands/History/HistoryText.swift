import Authorization
import Foundation
import SocketAPI

/// What is kept, as a person reads it.
enum HistoryText {
    /// When, for whom, what, its end, and the beginning of its identifier; below it the text.
    static func lines(_ entry: HistoryEntry, timeZone: TimeZone = .current) -> [String] {
        var parts = [DayAndTime.text(entry.date, timeZone: timeZone), cleaned(entry.name)]
        if entry.kind == .recording { parts.append("recording \(length(entry.bytes))") }
        if entry.kind == .voiceProfile { parts.append("voice profile") }
        parts.append(end(entry, timeZone))
        parts.append(String(entry.item.prefix(8)))
        let texts = (entry.text ?? "").split(separator: "\n").map { "    " + cleaned(String($0)) }
        return [parts.joined(separator: "  ")] + texts + (entry.problem.map { ["    " + cleaned($0)] } ?? [])
    }

    static func nothing(_ keeping: KeepingReply) -> [String] {
        guard !keeping.clients.isEmpty else {
            return [
                "Nothing is kept, and no program's manifest declares that anything is to be (VoiceGateKeptByService).",
                "For a history of your own dictations write  keepTranscripts: P30D  into config.yaml, and start the service "
                    + "again.",
            ]
        }
        return ["Nothing is kept. These programs declare that VoiceGate keeps something:"]
            + keeping.clients.flatMap(declaration)
    }

    private static func declaration(_ client: KeepingReply.Client) -> [String] {
        let kinds = client.declared.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.text))" }
        let line = "    \(cleaned(client.name)) (\(client.client)): \(kinds.joined(separator: ", "))"
        guard client.agreed != client.declared else { return [line] }
        return [
            line,
            "        You have not agreed to all of it. To be asked again:  voicegate reset --client \(client.client)",
        ]
    }

    /// Of sound of 16 kHz with 16 bits.
    static func length(_ bytes: Int64) -> String {
        let seconds = bytes / 32_000
        return String(format: "%lld:%02lld", seconds / 60, seconds % 60)
    }

    private static func end(_ entry: HistoryEntry, _ timeZone: TimeZone) -> String {
        entry.until.map { "until \(DayAndTime.text($0, timeZone: timeZone))" } ?? "until you take it back"
    }

    /// What was said, or a program's name, must not draw on the terminal.
    private static func cleaned(_ text: String) -> String { DisplayText.cleaned(text, limit: 4000) }
}
