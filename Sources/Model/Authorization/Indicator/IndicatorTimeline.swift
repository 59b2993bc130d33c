import Base
import Foundation

/// The uses that are running or ended in the last fifteen seconds. A client cannot shorten its entry. The caller supplies the
/// time, by a clock that cannot be set.
public struct IndicatorTimeline: Sendable {
    public typealias Instant = ContinuousClock.Instant

    /// How long after its end a use is shown.
    public static let latelyTime = Duration.seconds(15)
    /// Ended uses of one client that are kept, so that a client that begins repeatedly displaces only its own.
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
    ///   - hasListened: `false` for a use that heard nothing; it is no longer shown.
    ///   - date: the wall time, for showing.
    public mutating func end(_ identifier: String, hasListened: Bool = true, at instant: Instant, _ date: Date) {
        guard let use = running.removeValue(forKey: identifier), hasListened else { return }
        let earlier = ended.indices.filter { ended[$0].use.client == use.client && ended[$0].use.user == use.user }
        if earlier.count >= Self.mostEndedOfClient, let oldest = earlier.first { ended.remove(at: oldest) }
        ended.append(Ended(use: use, date: date, instant: instant))
    }

    /// The use is over, but its device does not close: it is shown as running until `release`.
    public mutating func hold(_ identifier: String) { running[identifier]?.isHeld = true }

    /// Ends the uses whose device has closed at last.
    ///
    /// - Parameter devices: those that are still open.
    public mutating func release(except devices: Set<String>, at instant: Instant, _ date: Date) {
        let shown = Set(devices.map(IndicatedUse.shown))
        for use in running.values where use.isHeld && !shown.contains(use.device ?? "") {
            end(use.identifier, at: instant, date)
        }
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

    public mutating func setEngine(_ engine: SpeechEngine, of identifier: String) {
        running[identifier]?.engine = engine
    }

    /// Removes entries that are no longer shown.
    public mutating func prune(at instant: Instant) {
        ended.removeAll { !Self.isShown($0, at: instant) }
    }

    public var isEmpty: Bool { running.isEmpty && ended.isEmpty }
    public var hasRunning: Bool { !running.isEmpty }

    /// A user's entries: running ones in the order of their beginning, then ended ones, the latest first.
    public func entries(ofUser user: UInt32, at instant: Instant) -> [IndicatorEntry] {
        let running = running.values.filter { $0.user == user }
            .sorted { ($0.startedAt, $0.identifier) < ($1.startedAt, $1.identifier) }
            .map { IndicatorEntry(use: $0, endedAt: nil) }
        let ended = ended.reversed().filter { $0.use.user == user && Self.isShown($0, at: instant) }
            .map { IndicatorEntry(use: $0.use, endedAt: $0.date) }
        return running + ended
    }

    /// When the entries next change by themselves.
    public func nextChange(after instant: Instant) -> Instant? {
        ended.map { $0.instant + Self.latelyTime }.filter { $0 > instant }.min()
    }

    private static func isShown(_ ended: Ended, at instant: Instant) -> Bool {
        ended.instant.duration(to: instant) < latelyTime
    }
}

/// One use of the microphone or of the recogniser, as the indicator shows it; none of it is supplied by the client.
public struct IndicatedUse: Sendable, Hashable {
    /// UUID of the session.
    public let identifier: String
    public let user: UInt32
    public let client: ClientIdentifier
    /// Safe to show, and never empty.
    public let name: String
    public let resources: [Resource]
    /// The ALSA device; `nil` for a file.
    public let device: String?
    public let processIdentifier: Int32
    public var presence: Presence
    /// Nothing is heard: the client is in the background, where the device stays open, or the device is disconnected.
    public var isPaused = false
    /// The session is over, but the device does not close.
    public var isHeld = false
    /// What recognises its speech now; `nil` before it starts.
    public var engine: SpeechEngine?
    public let startedAt: Date
    public let sharing: Sharing
    /// What the service listens for on the client's behalf; safe to show.
    public let phrases: [String]
    /// Its monitors notify the person alone, so other programs do not see it.
    public let isOfPerson: Bool

    public init(
        identifier: String, requester: Requester, resources: [Resource], device: String?, presence: Presence,
        startedAt: Date, sharing: Sharing = .undeclared, phrases: [String] = [], isOfPerson: Bool = false
    ) {
        self.identifier = identifier
        self.user = requester.caller.user
        self.client = requester.client.identifier
        self.name = ShownName.text(requester.client.displayName, of: requester.client.identifier)
        self.resources = resources
        self.device = device.map(Self.shown)
        self.processIdentifier = requester.caller.process.processIdentifier
        self.presence = presence
        self.startedAt = startedAt
        self.sharing = sharing
        self.phrases = phrases.map { DisplayText.cleaned($0, limit: 100) }
        self.isOfPerson = isOfPerson
    }

    static func shown(_ device: String) -> String { DisplayText.cleaned(device, limit: 60) }
}

/// A use, as shown at one instant.
public struct IndicatorEntry: Sendable, Hashable {
    public let use: IndicatedUse
    /// `nil` while it runs.
    public let endedAt: Date?

    public init(use: IndicatedUse, endedAt: Date?) {
        (self.use, self.endedAt) = (use, endedAt)
    }

    public var phase: IndicatorPhase { endedAt == nil ? .now : .lately }
}

/// Whether a use runs.
public enum IndicatorPhase: String, Sendable, Codable, Hashable, CaseIterable {
    /// Running.
    case now
    /// Ended less than fifteen seconds ago.
    case lately
}

/// A client's name, or its identifier if the name is invisible.
public enum ShownName {
    /// Letters and symbols by category that are blank on every screen: Hangul fillers, and Braille without a dot.
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
