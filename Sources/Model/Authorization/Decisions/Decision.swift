import Foundation

/// A person's stored answer.
public struct Decision: Sendable, Hashable, Codable {
    public let key: DecisionKey
    public let verdict: Verdict
    /// The program the person said yes to; a yes is good for these bytes only, and a yes without them for nothing. A no
    /// holds whatever the program has become.
    public let program: AllowedProgram?
    /// `nil` for a no.
    public var terms: Terms?
    public let indication: Indication
    public let decidedAt: Date
    /// Index of the record that made it. `nil` while that is being written: the ledger then stores the index of the record
    /// that the decision comes with. Also `nil` where an earlier version made it.
    public var record: UInt64?

    public init(
        key: DecisionKey, verdict: Verdict, program: AllowedProgram?, terms: Terms?, indication: Indication,
        decidedAt: Date, record: UInt64? = nil
    ) {
        self.key = key
        self.verdict = verdict
        self.program = program
        self.terms = terms
        self.indication = indication
        self.decidedAt = decidedAt
        self.record = record
    }

    /// The same with its moments told by the clock of this boot, so that setting the wall's clock changes nothing any
    /// more.
    func anchored(to now: Moment) -> Decision {
        var decision = self
        if let terms {
            decision.terms?.usedAt = terms.usedAt.anchored(to: now)
            decision.terms?.reviewedAt = terms.reviewedAt.anchored(to: now)
        }
        return decision
    }
}

/// What a decision is about: one resource, for one client, of one user.
public struct DecisionKey: Sendable, Hashable, Codable {
    public let user: UInt32
    public let client: ClientIdentifier
    public let resource: Resource

    public init(user: UInt32, client: ClientIdentifier, resource: Resource) {
        self.user = user
        self.client = client
        self.resource = resource
    }
}

extension DecisionKey: Comparable {
    public static func < (left: DecisionKey, right: DecisionKey) -> Bool {
        (left.user, left.client.rawValue, left.resource.rawValue)
            < (right.user, right.client.rawValue, right.resource.rawValue)
    }
}

/// What a client can be allowed to use. Each has its own authorization status, decided by the person one by one.
public enum Resource: String, Sendable, Codable, CaseIterable, Hashable {
    /// Turning speech into text, as `SFSpeechRecognizer` guards it.
    case speechRecognition
    /// Capturing audio from an ALSA device, as `AVAudioApplication` guards it.
    case microphone

    /// The Info.plist key whose text tells the person why the client asks. A request without it is refused.
    public var usageDescriptionKey: String {
        switch self {
        case .speechRecognition: "NSSpeechRecognitionUsageDescription"
        case .microphone: "NSMicrophoneUsageDescription"
        }
    }

    /// How a sentence names the resource.
    public var phrase: String {
        switch self {
        case .speechRecognition: "speech recognition"
        case .microphone: "the microphone"
        }
    }
}

/// What the person decided for good. `once` is no verdict: it ends with its session and is never stored.
public enum Verdict: String, Sendable, Codable, Hashable, CaseIterable {
    case authorized
    case denied
}

/// How far a yes reaches.
public enum Scope: String, Sendable, Codable, Hashable, CaseIterable {
    /// One session of the process that asked; then the status is `notDetermined` again.
    case once
    /// Whenever the client is in use: in the foreground, or in the background with a declared background mode after a
    /// session that began in the foreground.
    case whileInUse
    /// Also without the person: a session may begin in the background, and monitors may be registered. Only an upgrade
    /// of `whileInUse`.
    case always
}

/// How much of what is said a client may get (`CLAccuracyAuthorization`, for speech).
public enum Fidelity: String, Sendable, Codable, Hashable, CaseIterable {
    /// Free dictation, word times, audio where declared.
    case full
    /// Only the phrases that the client's manifest declares; no other text, no score and no audio leaves the service.
    case reduced
}

/// The program that a yes was given to, as it was then.
public struct AllowedProgram: Sendable, Hashable, Codable {
    /// SHA-256 of what identifies it, lower-case hexadecimal; see `Executable.sha256`.
    public let sha256: String
    /// Shown beside the new one when it has changed; `nil` when an earlier version stored the decision.
    public let path: String?

    public init(sha256: String, path: String?) {
        self.sha256 = sha256
        self.path = path
    }

    public init(_ executable: Executable) {
        self.init(sha256: executable.sha256, path: executable.path)
    }
}

/// What a yes allows, and since when it has not been used or looked at again.
public struct Terms: Sendable, Hashable, Codable {
    public var scope: Scope
    public var upgrade: Upgrade
    public var fidelity: Fidelity
    /// When a session last stood on it, or when it was given.
    public var usedAt: Moment
    /// When the person last confirmed it.
    public var reviewedAt: Moment
    /// What VoiceGate may keep: what the notice said that was answered with this yes.
    public var kept: KeepingTimes
    /// The engine outside of the service that the notice named (`SpeechEngine.recipient`); `nil`: none.
    public var engine: String?

    public init(
        scope: Scope, upgrade: Upgrade = .notRequested, fidelity: Fidelity = .full, usedAt: Moment = .unknown,
        reviewedAt: Moment = .unknown, kept: KeepingTimes = [:], engine: String? = nil
    ) {
        self.scope = scope
        self.upgrade = upgrade
        self.fidelity = fidelity
        self.usedAt = usedAt
        self.reviewedAt = reviewedAt
        self.kept = kept
        self.engine = engine
    }

    public var isProvisionalAlways: Bool { scope == .whileInUse && upgrade == .provisional }
}

/// When a yes that nobody uses ends.
public struct GrantExpiry: Sendable, Hashable {
    /// Milliseconds without a session; 90 days unless configured.
    public var unusedLimit: Int64

    public init(unusedDays: Int = 90) { unusedLimit = Int64(unusedDays) * 86_400_000 }

    /// Why the yes has ended at the moment, or `nil` while it holds.
    public func reason(for terms: Terms, at moment: Moment) -> ExpiryReason? {
        guard let elapsed = moment.elapsed(since: terms.usedAt) else { return .clockSetBack }
        return elapsed >= unusedLimit ? .unused : nil
    }
}

/// Why a yes ended without the person.
public enum ExpiryReason: String, Sendable, Codable, Hashable {
    /// No session stood on it for the configured time.
    case unused
    /// The clock was set back over a reboot, so its age cannot be told.
    case clockSetBack
}
