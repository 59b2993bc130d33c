import Authorization
import Foundation

extension IndicatorReply {
    /// Whether a microphone is open for a session, and not paused: what ● stands for, wherever it is shown.
    public var listens: Bool { sessions.contains(where: \.listens) }
}

extension IndicatorReply.Session {
    public var isRunning: Bool { endedAt == nil }

    /// What a session does at a moment. The bars, the page, `status` and the notification show this and nothing else.
    public enum Activity: Sendable, Hashable {
        /// A microphone is open and heard.
        case listening
        /// Nothing is heard while the client is in the background, or while the microphone is disconnected.
        case paused
        /// The session is over, but its microphone does not close.
        case held
        /// Sound that the client supplied is transcribed; no microphone is used.
        case transcribing
        case listened
        case transcribed
    }

    public var activity: Activity {
        if endedAt != nil { return device == nil ? .transcribed : .listened }
        if held == true { return .held }
        if device == nil { return .transcribing }
        return paused ? .paused : .listening
    }

    /// A microphone that does not close counts too: nobody can see that it is not heard.
    public var listens: Bool { activity == .listening || activity == .held }

    /// It listens while its client is in the background.
    public var listensInBackground: Bool { activity == .listening && presence == .background }

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
        self.init(IndicatorEntry(use: use, endedAt: nil))
        (processIdentifier, phrases) = (getpid(), [])
    }

    /// What the client does and since when, as a sentence without a full stop.
    ///
    /// - Parameter time: formats a time.
    public func sentence(in language: Language = .english, _ time: (Date) -> String) -> String {
        let texts = IndicatorWording(language: language)
        var who = texts.who(name: name, client: client, process: processIdentifier)
        if let quotedPhrases { who = texts.waits(phrases: quotedPhrases, name: name, client: client) }
        if isOfPerson { who = texts.waitsForYou(name: name, client: client) }
        var (moment, details) = (endedAt.map { texts.until(time: time($0)) } ?? texts.since(time: time(startedAt)), "")
        if activity == .held, language == .english {
            // The English sentence has no time here.
            moment = ""
        } else if isRunning {
            if presence == .background { details += texts(.background) }
            if let recognizer { details += texts.recognisedBy(engine: recognizer) }
        }
        switch sharing {
        case .verified: details += texts(.noNetwork)
        case .declared: details += texts(.saysNotShared)
        case .shared, .undeclared, nil: break
        }
        return texts.sentence(
            who: who, activity: texts.activity(activity, device: device ?? texts(.device)), time: moment,
            details: details)
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
    /// `idle`, `now`, `background` (now, and at least one in the background), `paused`, `lately`, `file` or `muted`.
    public var `class`: String
    /// As `class`; for `format-icons`.
    public var alt: String
    public var sessions: [IndicatorReply.Session]
    public var muted: Bool

    public init(_ reply: IndicatorReply, timeZone: TimeZone) {
        let state = State(reply).rawValue
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

    /// What the bar shows, the most important first: ● stands for a microphone that is open, and for nothing else.
    private enum State: String {
        case now, background, muted, paused, lately, file, idle

        init(_ reply: IndicatorReply) {
            func has(_ activity: IndicatorReply.Session.Activity) -> Bool {
                reply.sessions.contains { $0.activity == activity }
            }
            self =
                if reply.listens {
                    reply.sessions.contains(where: \.listensInBackground) ? .background : .now
                } else if reply.muted {
                    .muted
                } else if has(.paused) {
                    .paused
                } else if has(.listened) {
                    .lately
                } else {
                    has(.transcribing) ? .file : .idle
                }
        }
    }

    private static func summary(of reply: IndicatorReply) -> String {
        func names(_ activity: IndicatorReply.Session.Activity) -> String {
            Self.names(reply.sessions.filter { $0.activity == activity })
        }
        return switch State(reply) {
        case .now: "● " + Self.names(reply.sessions.filter(\.listens))
        case .background: "● " + Self.names(reply.sessions.filter(\.listens)) + " (background)"
        case .muted: "muted"
        case .paused: "◌ " + names(.paused)
        case .lately: "○ " + names(.listened)
        case .file: "□ " + names(.transcribing)
        case .idle: ""
        }
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
        if reply.muted {
            let program = reply.mutedBy?.program.map { " by \($0)" } ?? ""
            lines.insert("Everything is muted\(program): \(MutedBy.command(ending: reply.mutedBy))", at: 0)
        }
        return lines + (reply.listens ? [] : ["Nothing listens."])
    }

    private static func escapedMarkup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
