import Authorization
import Foundation

/// `GET /v1/indicator`: what listens now or listened until a moment ago, of all clients of the calling user.
public struct IndicatorReply: Sendable, Hashable, Codable {
    public struct Session: Sendable, Hashable, Codable {
        public var session: String
        public var client: String
        /// Safe to show on one line.
        public var name: String
        public var resources: [Resource] = [.speechRecognition, .microphone]
        /// `nil` for a file.
        public var device: String?
        /// Of the client.
        public var processIdentifier: Int32
        /// Whether the client is in the foreground now.
        public var presence: Presence = .foreground
        /// It does not listen while its client is in the background, and continues when the client is back.
        public var paused: Bool = false
        public var phase: IndicatorPhase = .now
        public var startedAt: Date
        /// `nil` while it runs.
        public var endedAt: Date?
        /// Whether what is heard can leave the machine, as found at the start.
        public var sharing: Sharing?
        /// The session is over, but its device does not close; nothing is read from it. Absent if that is not so.
        public var held: Bool?
        /// VoiceGate itself listens for these phrases for a monitor, and its client gets nothing else. Empty: for monitors that
        /// notify the user, and only the user's own command sees for what, and what they hear.
        public var phrases: [String]?
        /// What recognises its speech, with its version, or the address of an engine outside of the service. Absent before the
        /// session starts, if nothing is recognised, and if it is unknown.
        public var recognizer: String?

        public var isRunning: Bool { endedAt == nil }

        /// It listens while its client is in the background.
        public var goesOnInBackground: Bool { isRunning && presence == .background && !paused && held != true }
    }

    /// First the running sessions, then those that ended less than 15 seconds ago.
    public var sessions: [Session]
    /// Whether everything is muted.
    public var muted: Bool

    public init(sessions: [Session], muted: Bool = false) {
        self.sessions = sessions
        self.muted = muted
    }
}

extension IndicatorReply.Session {
    public init(_ entry: IndicatorEntry) {
        let use = entry.use
        self.init(
            session: use.identifier, client: use.client.rawValue, name: use.name, resources: use.resources,
            device: use.device, processIdentifier: use.processIdentifier, presence: use.presence,
            paused: use.isPaused, phase: entry.phase, startedAt: use.startedAt, endedAt: entry.endedAt,
            sharing: use.sharing, held: use.isHeld ? true : nil,
            phrases: use.phrases.isEmpty ? nil : use.phrases, recognizer: use.engine?.shown)
    }

    /// Of monitors that notify the user, for other programs.
    public init(monitors use: IndicatedUse) {
        self.init(IndicatorEntry(use: use, phase: .now, endedAt: nil))
        (processIdentifier, phrases) = (getpid(), [])
    }

    /// What the client does and since when, as a sentence without a full stop.
    ///
    /// - Parameter time: formats a time.
    public func sentence(_ time: (Date) -> String) -> String {
        var text = "\(name) (\(client), process \(processIdentifier)) "
        if let quotedPhrases { text = "VoiceGate (waits for “\(quotedPhrases)” for \(name), \(client)) " }
        if isOfPerson { text = "VoiceGate (waits for you, to start \(name), \(client)) " }
        if let endedAt {
            text += (device.map { "listened on \($0)" } ?? "transcribed a file") + " until " + time(endedAt)
        } else if held == true {
            text += "is over, but \(device ?? "its device") does not close"
        } else {
            text += (device.map { "listens on \($0)" } ?? "transcribes a file") + " since " + time(startedAt)
            if presence == .background { text += paused ? ", paused in the background" : ", in the background" }
            if let recognizer { text += ", recognised by \(recognizer)" }
        }
        switch sharing {
        case .verified: text += ", no network (verified)"
        case .declared: text += ", says that nothing is shared"
        case .shared, .undeclared, nil: break
        }
        return text
    }
}

extension IndicatorReply.Session {
    /// The phrases, without the first and the last quotation mark; `nil` without any.
    public var quotedPhrases: String? {
        phrases.flatMap { $0.isEmpty ? nil : $0.joined(separator: "”, “") }
    }

    /// Whether it is of monitors that notify the user.
    public var isOfPerson: Bool { phrases?.isEmpty == true }
}

/// The indicator for a status bar: what waybar's custom modules read (waybar-custom(5), `return-type: json`), and a line
/// for polybar. Also what the service writes to `indicator.json`.
///
/// A client chooses its name, so markup in it (Pango's for waybar, `%{…}` for polybar) is escaped: otherwise a name could hide
/// itself, or run a command on a click.
public struct IndicatorBar: Sendable, Hashable, Codable {
    /// A few words; Pango markup, escaped. Empty if there is nothing to show.
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

    /// Each name once; at most three, so that they fit into the bar.
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
