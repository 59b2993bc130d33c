import Authorization
import Foundation

/// The indicator for a status bar: what waybar's custom modules read (waybar-custom(5), `return-type: json`), and a line
/// for polybar. Also what the service writes to `indicator.json`.
///
/// A client chooses its name. So what could be markup (Pango's for waybar, `%{…}` for polybar) is taken out of it here:
/// otherwise a name could hide itself, or put a command behind a click.
public struct IndicatorBar: Sendable, Hashable, Codable {
    /// A few words; Pango markup, escaped. Empty when there is nothing to show.
    public var text: String
    /// A line for each use; Pango markup, escaped.
    public var tooltip: String
    /// `idle`, `now`, `background` (now, and at least one in the background), `lately` or `muted`.
    public var `class`: String
    /// As `class`; for `format-icons`.
    public var alt: String
    public var sessions: [IndicatorReply.Session]
    public var muted: Bool

    public init(_ reply: IndicatorReply, timeZone: TimeZone = .current) {
        let state = Self.state(of: reply)
        text = Self.escapedMarkup(Self.summary(of: reply))
        tooltip = Self.escapedMarkup(Self.details(of: reply, timeZone).joined(separator: "\n"))
        self.class = state
        alt = state
        sessions = reply.sessions
        muted = reply.muted
    }

    /// A line for polybar's `custom/script`.
    public static func polybarLine(_ reply: IndicatorReply) -> String {
        summary(of: reply).replacing("%{", with: "% {")
    }

    private static func state(of reply: IndicatorReply) -> String {
        let now = reply.sessions.filter { $0.phase == .now }
        if now.contains(where: \.goesOnInBackground) { return "background" }
        if !now.isEmpty { return IndicatorPhase.now.rawValue }
        if reply.muted { return "muted" }
        return reply.sessions.isEmpty ? "idle" : IndicatorPhase.lately.rawValue
    }

    private static func summary(of reply: IndicatorReply) -> String {
        let now = reply.sessions.filter { $0.phase == .now }
        if now.isEmpty {
            if reply.muted { return "muted" }
            return reply.sessions.isEmpty ? "" : "○ " + names(reply.sessions)
        }
        let isInBackground = now.contains(where: \.goesOnInBackground)
        return "● " + names(now) + (isInBackground ? " (background)" : "")
    }

    /// Each name once; at most three, so that many do not push each other out of the bar.
    private static func names(_ sessions: [IndicatorReply.Session]) -> String {
        var clients: [String] = []
        var names: [String] = []
        for session in sessions where !clients.contains(session.client) {
            clients.append(session.client)
            names.append(session.name.count > 24 ? session.name.prefix(23) + "…" : session.name)
        }
        return names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " +\(names.count - 3)" : "")
    }

    private static func details(of reply: IndicatorReply, _ timeZone: TimeZone) -> [String] {
        let style = Date.ISO8601FormatStyle(timeZone: timeZone).time(includingFractionalSeconds: false)
        var lines = reply.sessions.map { $0.sentence { $0.formatted(style) } }
        if reply.muted { lines.insert("Everything is muted: voicegate unmute", at: 0) }
        return lines.isEmpty ? ["Nothing listens."] : lines
    }

    private static func escapedMarkup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
