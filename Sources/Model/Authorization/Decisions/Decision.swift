import Base
import Foundation

/// A person's stored answer.
public struct Decision: Sendable, Hashable {
    public let key: DecisionKey
    public let verdict: Verdict
    /// The program that the person allowed; a grant is valid for these bytes only, and without them for none. A denial
    /// applies to every version of the program; that of one without a manifest, whose key is its bytes, has it to be shown.
    public let program: AllowedProgram?
    /// `nil` for a denial.
    public var terms: Terms?
    public let indication: Indication
    public let decidedAt: Date
    /// Index of the record that made it. `nil` while that is being written: the ledger then stores the index of the record
    /// that the decision comes with.
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

    /// See `Terms.permitting`.
    func permitting(_ client: Client) -> Decision {
        var decision = self
        decision.terms = terms?.permitting(client)
        return decision
    }

    /// The same with its moments by the clock of this boot, so that setting the wall clock no longer changes anything: a time
    /// that is unknown now remains unknown.
    func anchored(to now: Moment) -> Decision {
        var decision = self
        if let terms {
            decision.terms?.usedAt = terms.usedAt.anchored(to: now) ?? .unknown
            decision.terms?.reviewedAt = terms.reviewedAt.anchored(to: now) ?? .unknown
            decision.terms?.reviewAskedAt = terms.reviewAskedAt?.anchored(to: now)
        }
        return decision
    }
}

/// The subject of a decision: one resource, for one client, of one user.
public struct DecisionKey: Sendable, Hashable, Comparable {
    public let user: UInt32
    public let client: ClientIdentifier
    public let resource: Resource

    public init(user: UInt32, client: ClientIdentifier, resource: Resource) {
        self.user = user
        self.client = client
        self.resource = resource
    }

    public static func < (left: DecisionKey, right: DecisionKey) -> Bool {
        (left.user, left.client.rawValue, left.resource.rawValue)
            < (right.user, right.client.rawValue, right.resource.rawValue)
    }
}

/// What a client can be allowed to use. The person decides about each separately.
public enum Resource: String, Sendable, Codable, CaseIterable, Hashable {
    /// Turning speech into text (`SFSpeechRecognizer`).
    case speechRecognition
    /// Capturing audio from an ALSA device (`AVAudioApplication`).
    case microphone

    /// The Info.plist key of the text that tells the person why the client asks. Without it, requests are refused.
    public var usageDescriptionKey: String {
        switch self {
        case .speechRecognition: "NSSpeechRecognitionUsageDescription"
        case .microphone: "NSMicrophoneUsageDescription"
        }
    }

    /// The key of the text that the question about always shows; absent: that of the usage description.
    public var alwaysUsageDescriptionKey: String {
        switch self {
        case .speechRecognition: "NSSpeechRecognitionAlwaysAndWhenInUseUsageDescription"
        case .microphone: "NSMicrophoneAlwaysAndWhenInUseUsageDescription"
        }
    }

    /// The English name in sentences.
    public var phrase: String { Language.english.wording.resource(self) }
}

/// A lasting decision. A grant for one use is never stored.
public enum Verdict: String, Sendable, Codable, Hashable, CaseIterable {
    case authorized
    case denied
}

/// How far a grant extends.
public enum Scope: String, Sendable, Codable, Hashable, CaseIterable {
    /// One use by the process that asked: any number of sessions until it ends, or was out of use for 10 s. Afterwards the
    /// status is `notDetermined` again.
    case once
    /// While the client is in use: in the foreground, or in the background with a declared background mode after a session
    /// that began in the foreground.
    case whileInUse
    /// Also when the person is not using the client: sessions may begin in the background, and monitors may start
    /// programs. Only an upgrade of `whileInUse`.
    case always
}

/// How much of the recognised speech a client may receive (`CLAccuracyAuthorization`, for speech).
public enum Fidelity: String, Sendable, Codable, Hashable, CaseIterable {
    /// Free dictation, word times, audio if declared.
    case full
    /// Only the phrases of the manifest; no other text, no score and no audio leaves the service.
    case reduced
}

/// The program that a grant was given to, as it was then.
public struct AllowedProgram: Sendable, Hashable {
    /// See `Executable.sha256`.
    public let sha256: String
    /// For showing it beside a changed program.
    public let path: String?
    /// For saying how much it has changed; the text itself is not kept. See `Executable.size`.
    public let size: Int64?

    public init(sha256: String, path: String?, size: Int64? = nil) {
        self.sha256 = sha256
        self.path = path
        self.size = size
    }

    public init(_ executable: Executable) {
        self.init(sha256: executable.sha256, path: executable.path, size: executable.size)
    }

    /// The size follows from the bytes.
    public static func == (left: Self, right: Self) -> Bool {
        (left.sha256, left.path) == (right.sha256, right.path)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(sha256)
        hasher.combine(path)
    }

    /// - Returns: bytes, negative if it became smaller; `nil` if unknown.
    public func growth(to current: AllowedProgram) -> Int64? {
        size.flatMap { before in current.size.map { $0 - before } }
    }
}

/// The extent of a grant, and when it was last used and confirmed.
public struct Terms: Sendable, Hashable {
    public var scope: Scope
    public var upgrade: Upgrade
    public var fidelity: Fidelity
    /// When a session last used it, or when it was given.
    public var usedAt: Moment
    /// When the person last confirmed it.
    public var reviewedAt: Moment
    /// When the person was last asked to confirm it; `nil`: not since they last did.
    public var reviewAskedAt: Moment?
    /// What the person was shown.
    public var agreed: Agreement

    public init(
        scope: Scope, upgrade: Upgrade = .notRequested, fidelity: Fidelity = .full, usedAt: Moment = .unknown,
        reviewedAt: Moment = .unknown, agreed: Agreement = Agreement()
    ) {
        self.scope = scope
        self.upgrade = upgrade
        self.fidelity = fidelity
        self.usedAt = usedAt
        self.reviewedAt = reviewedAt
        self.agreed = agreed
    }

    public var isProvisionalAlways: Bool { scope == .whileInUse && upgrade == .provisional }

    /// What they permit the client: always only if its manifest declares that it does something while it is not used.
    func permitting(_ client: Client) -> Terms {
        guard client.manifest?.declaresBackground != true else { return self }
        var terms = self
        if scope == .always { terms.scope = .whileInUse }
        if upgrade == .provisional { terms.upgrade = .notRequested }
        return terms
    }
}

/// The progress of a grant from `whileInUse` to `always`.
public enum Upgrade: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client has not asked for always.
    case notRequested
    /// The client asked for always, and the person will be asked once, at a quiet moment. Until then the client sees
    /// `always`, and nothing that needs it happens.
    case provisional
    /// The person was asked, and is not asked again; only settings change it.
    case asked
}

/// How the person's answer reached the gate (DPV's `hasIndicationMethod`).
public enum Indication: String, Sendable, Codable, Hashable, CaseIterable {
    /// At the terminal of the process that asked.
    case terminal
    /// At a terminal that runs `voicegate agent`.
    case agent
    /// By a desktop notification.
    case desktop
    /// By a script in the person's place; only possible in advisory mode.
    case scriptedAgent
    /// `voicegate settings` or `voicegate reset`.
    case settings
    /// Root, for a user of the machine's service (`voicegate settings --user`). Never the person's own choice.
    case administrator

    /// For a decision in settings.
    public init(settlingFor user: UInt32, by caller: Caller) {
        self = caller.user == user ? .settings : .administrator
    }
}

/// When an unused grant expires.
public struct GrantExpiry: Sendable, Hashable {
    /// Milliseconds without a session.
    public var unusedLimit: Int64

    public init(unusedDays: Int = 90) { unusedLimit = Int64(unusedDays) * 86_400_000 }

    /// - Returns: why the grant has expired; `nil` while it is valid.
    public func reason(for terms: Terms, at moment: Moment) -> ExpiryReason? {
        guard let elapsed = moment.elapsed(since: terms.usedAt, tolerating: Moment.toleratedSetback) else {
            return .clockSetBack
        }
        return elapsed >= unusedLimit ? .unused : nil
    }
}

/// Why a grant expired.
public enum ExpiryReason: String, Sendable, Codable, Hashable {
    /// No session used it for the configured time.
    case unused
    /// The clock was set back across a reboot by more than a day, so its age is unknown.
    case clockSetBack
    /// As many programs without a manifest were decided about as there may be, and it is the oldest of these decisions, a
    /// grant or a denial.
    case tooMany
}
