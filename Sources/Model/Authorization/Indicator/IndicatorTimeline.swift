import Foundation

/// What listens and what listened a moment ago. Time comes from the caller, by a clock that nobody can set.
///
/// Nothing that a client says makes an entry go earlier: a use is there from its begin until fifteen seconds after its end.
public struct IndicatorTimeline: Sendable {
    public typealias Instant = ContinuousClock.Instant

    /// How long after its end a use still counts as `now`.
    public static let nowTime = Duration.seconds(5)
    /// How long after its end a use is shown at all.
    public static let latelyTime = Duration.seconds(15)
    /// Ended uses that are kept of one client: one that begins again and again pushes out nobody but itself.
    public static let mostEndedOfClient = 4

    private struct Ended {
        let use: IndicatedUse
        let date: Date
        let instant: Instant
    }

    private var running: [String: IndicatedUse] = [:]
    /// In the order of their ends.
    private var ended: [Ended] = []

    public init() {}

    public mutating func begin(_ use: IndicatedUse) { running[use.identifier] = use }

    /// - Parameters:
    ///   - hasListened: `false` for a use that failed before anything could be heard; it is not shown any more.
    ///   - date: the wall's, for showing; what counts is the instant.
    public mutating func end(_ identifier: String, hasListened: Bool = true, at instant: Instant, _ date: Date) {
        guard let use = running.removeValue(forKey: identifier), hasListened else { return }
        let earlier = ended.indices.filter { ended[$0].use.client == use.client && ended[$0].use.user == use.user }
        if earlier.count >= Self.mostEndedOfClient, let oldest = earlier.first { ended.remove(at: oldest) }
        ended.append(Ended(use: use, date: date, instant: instant))
    }

    /// - Returns: whether it changed.
    @discardableResult
    public mutating func setPresence(_ presence: Presence, of identifier: String) -> Bool {
        guard let use = running[identifier], use.presence != presence else { return false }
        running[identifier]?.presence = presence
        return true
    }

    public mutating func setPaused(_ isPaused: Bool, _ identifier: String) {
        running[identifier]?.isPaused = isPaused
    }

    /// Forgets what is not shown any more.
    public mutating func prune(at instant: Instant) {
        ended.removeAll { Self.phase($0, at: instant) == nil }
    }

    public var isEmpty: Bool { running.isEmpty && ended.isEmpty }
    public var hasRunning: Bool { !running.isEmpty }

    /// What is shown to a user: what runs first, by its begin, then what ended, the last first.
    public func entries(ofUser user: UInt32, at instant: Instant) -> [IndicatorEntry] {
        let running = running.values.filter { $0.user == user }
            .sorted { ($0.startedAt, $0.identifier) < ($1.startedAt, $1.identifier) }
            .map { IndicatorEntry(use: $0, phase: .now, endedAt: nil) }
        let ended = ended.reversed().compactMap { ended in
            ended.use.user == user
                ? Self.phase(ended, at: instant).map { IndicatorEntry(use: ended.use, phase: $0, endedAt: ended.date) }
                : nil
        }
        return running + ended
    }

    /// When what is shown changes next by itself; `nil`: it stays as it is.
    public func nextChange(after instant: Instant) -> Instant? {
        ended.flatMap { [$0.instant + Self.nowTime, $0.instant + Self.latelyTime] }.filter { $0 > instant }.min()
    }

    private static func phase(_ ended: Ended, at instant: Instant) -> IndicatorPhase? {
        switch ended.instant.duration(to: instant) {
        case ..<nowTime: .now
        case ..<latelyTime: .lately
        default: nil
        }
    }
}

/// One use of the microphone or of the recogniser, as it is shown. Everything in it is the service's own knowledge.
public struct IndicatedUse: Sendable, Hashable {
    /// UUID of the session.
    public let identifier: String
    public let user: UInt32
    public let client: ClientIdentifier
    /// Made safe to show, and never empty.
    public let name: String
    public let resources: [Resource]
    /// ALSA's name; `nil` for a file.
    public let device: String?
    public let processIdentifier: Int32
    public var presence: Presence
    /// It hears nothing for now, because its client is in the background; the device stays open.
    public var isPaused = false
    public let startedAt: Date
    /// Whether what is heard can leave the machine, as it was found before.
    public let sharing: Sharing

    public init(
        identifier: String, requester: Requester, resources: [Resource], device: String?, presence: Presence,
        startedAt: Date, sharing: Sharing = .undeclared
    ) {
        self.identifier = identifier
        self.user = requester.caller.user
        self.client = requester.client.identifier
        self.name = ShownName.text(requester.client.displayName, of: requester.client.identifier)
        self.resources = resources
        self.device = device.map { DisplayText.cleaned($0, limit: 60) }
        self.processIdentifier = requester.caller.process.processIdentifier
        self.presence = presence
        self.startedAt = startedAt
        self.sharing = sharing
    }
}

/// A use with how long ago it was.
public struct IndicatorEntry: Sendable, Hashable {
    public let use: IndicatedUse
    public let phase: IndicatorPhase
    /// `nil` while it runs.
    public let endedAt: Date?
}

/// How long ago a use was. The names and times are Android's privacy indicators'.
public enum IndicatorPhase: String, Sendable, Codable, Hashable, CaseIterable {
    /// Runs, or ended under five seconds ago.
    case now
    /// Ended under fifteen seconds ago.
    case lately
}

/// A client's name where it must be seen: one that looks like nothing gives way to the identifier.
public enum ShownName {
    /// Letters and symbols by their category, and blank on every screen: fillers of Hangul, and Braille without a dot.
    private static let blanks: Set<Unicode.Scalar> = ["\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{2800}"]

    public static func text(_ name: String, of client: ClientIdentifier) -> String {
        let kept = String(String.UnicodeScalarView(name.unicodeScalars.filter { !blanks.contains($0) }))
        let cleaned = DisplayText.cleaned(kept, limit: 60)
        return cleaned.unicodeScalars.contains(where: isVisible) ? cleaned : client.rawValue
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .spaceSeparator: false
        default: true
        }
    }
}
