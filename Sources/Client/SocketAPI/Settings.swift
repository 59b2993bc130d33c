import Authorization
import Foundation

/// `GET /v1/settings`: all decisions of the calling user.
public struct SettingsReply: Sendable, Hashable, Codable {
    public var entries: [SettingsEntry]
    /// Whether everything is muted; every status is `restricted` then.
    public var muted: Bool
    /// Absent if nothing is muted.
    public var mutedBy: MutedBy?
    /// Manifests and policy files that could not be used, each with the reason.
    public var problems: [String]
    /// In changes: the entries are those of the clients that changed since the line before. Absent: all.
    public var isPartial: Bool?

    public init(
        entries: [SettingsEntry], muted: Bool = false, mutedBy: MutedBy? = nil, problems: [String],
        isPartial: Bool? = nil
    ) {
        self.entries = entries
        self.muted = muted
        self.mutedBy = mutedBy
        self.problems = problems
        self.isPartial = isPartial
    }
}

/// One client and one resource in settings. What does not apply is absent.
public struct SettingsEntry: Sendable, Hashable, Codable {
    /// A program by its path and the beginning of the digest of what identifies it.
    public struct Program: Sendable, Hashable, Codable {
        public var path: String?
        /// The first 16 hexadecimal digits.
        public var sha256: String
        /// Bytes; absent: unknown.
        public var size: Int64?

        public init(_ program: AllowedProgram) {
            path = program.path.map { DisplayText.cleaned($0, limit: 400) }
            sha256 = String(program.sha256.prefix(16))
            size = program.size
        }
    }

    /// The question that the user has not answered yet.
    public typealias WaitingQuestion = Question.Kind

    public var client: String
    /// Safe to show on one line.
    public var name: String
    public var resource: Resource
    /// As the client sees it; a policy may make it `restricted` in spite of the decision.
    public var status: AuthorizationStatus
    /// When and how it was decided; absent without a decision.
    public var decidedAt: Date?
    public var indication: Indication?
    public var verdict: Verdict?
    public var scope: Scope?
    public var upgrade: Upgrade?
    public var fidelity: Fidelity?
    public var usedAt: Date?
    public var reviewedAt: Date?
    /// When the grant ends if it is not used.
    public var expiresAt: Date?
    /// When the user is asked whether a grant for always is to stay.
    public var reviewAt: Date?
    /// The program that the grant was given to.
    public var program: Program?
    /// The program that the client's manifest names now, if it is a different one.
    public var presentProgram: Program?
    /// Whether the program has changed since the grant.
    public var isChanged: Bool?
    /// What the client declares beyond the grant, in the reader's language; it is asked about at the next use.
    public var new: String?
    /// The manifest's text, as prompts show it.
    public var usageDescription: String?
    /// What the client declares about the resource, with the four data items, in the reader's language. A decision in
    /// settings is recorded with this text.
    public var notice: String?
    /// SHA-256 of what the notice declares, as in the records of notices and answers; absent without a manifest.
    public var agreementSHA256: String?
    /// SHA-256 of what identifies the program, as it is now; absent without a manifest, or if the program cannot be read.
    public var programSHA256: String?
    /// Whether the user can choose between all words and the client's phrases.
    public var offersFidelity: Bool?
    /// The reason of the policy that forbids it; empty if the policy has none.
    public var restriction: String?
    /// Whether a process has a grant for one use now; the status does not include it.
    public var isAllowedOnce: Bool?
    public var question: WaitingQuestion?
    /// The recipients that the client's manifest declares. Empty: none. Absent: not declared.
    public var recipients: [String]?
}

extension SettingsEntry {
    /// Whether the client can ask for the resource: its manifest, if it has one, describes what for.
    public var isDeclared: Bool { notice == nil || usageDescription != nil }

    /// When a session last used the grant. The decision counts as a use for the expiry only, so absent if none has used it since.
    public var lastUse: Date? { usedAt.flatMap { $0.timeIntervalSince(decidedAt ?? .distantPast) > 1 ? $0 : nil } }

    /// - Parameters:
    ///   - manifest: of a client that has one.
    ///   - notice: about the manifest, in the reader's language.
    ///   - present: the program that the manifest names, as it is now.
    ///   - isCarriedOver: whether the grant is valid for that program too.
    public init(
        _ standing: SettledStanding, manifest: Manifest?, notice shown: Notice?, present: AllowedProgram?,
        isCarriedOver: Bool
    ) {
        let (key, terms) = (standing.key, standing.decision?.terms)
        // A program without a manifest is known by its bytes; people know it by its file.
        let file = standing.decision?.program?.path?.split(separator: "/").last.map(String.init)
        self.init(
            client: key.client.rawValue,
            name: ShownName.text(manifest?.name ?? file ?? key.client.rawValue, of: key.client),
            resource: key.resource, status: standing.status)
        decidedAt = standing.decision?.decidedAt
        indication = standing.decision?.indication
        verdict = standing.decision?.verdict
        scope = terms?.scope
        upgrade = terms?.upgrade
        fidelity = key.resource == .speechRecognition ? terms?.fidelity : nil
        usedAt = terms.flatMap { Self.date($0.usedAt) }
        reviewedAt = terms.flatMap { Self.date($0.reviewedAt) }
        expiresAt = standing.expiresAt
        reviewAt = standing.reviewAt
        usageDescription = manifest?.usageDescriptions[key.resource].map { DisplayText.cleaned($0) }
        programSHA256 = present?.sha256
        notice = shown?.text
        new = shown?.new
        recipients = shown?.practices.recipients
        if key.resource == .speechRecognition, manifest?.phrases.isEmpty == false { offersFidelity = true }
        restriction = standing.restriction.map { DisplayText.cleaned($0.reason ?? "", limit: 200) }
        if standing.isAllowedOnce { isAllowedOnce = true }
        question = standing.question?.kind
        if let allowed = standing.decision?.program {
            program = Program(allowed)
            if let present, present.sha256 != allowed.sha256 {
                presentProgram = Program(present)
                if !isCarriedOver { isChanged = true }
            }
        }
    }

    private static func date(_ moment: Moment) -> Date? {
        moment == .unknown ? nil : Date(timeIntervalSince1970: Double(moment.wall) / 1000)
    }
}

/// `PUT /v1/settings/{client}`; answered with 204. Only VoiceGate's own command may call it.
public struct SettingsChange: Sendable, Hashable, Codable {
    public enum Choice: String, Sendable, Codable, Hashable, CaseIterable {
        case allow
        case deny
        /// Back to `notDetermined`.
        case ask
    }

    public var resource: Resource
    public var choice: Choice
    /// Of a grant: `whileInUse` or, if the client has a grant, `always`. Absent: as it is, else `whileInUse`.
    public var scope: Scope?
    /// Of a grant for speech recognition. Absent: as it is, else what the client's manifest prefers.
    public var fidelity: Fidelity?
    /// Of the entry that the user has read (`SettingsEntry`): a grant of anything else is refused as `outdated`. Absent: not
    /// compared.
    public var agreementSHA256: String?
    /// Of the entry that the user has read: a grant for another program is refused as `outdated`. Absent: not compared.
    public var programSHA256: String?

    public init(
        resource: Resource, choice: Choice, scope: Scope? = nil, fidelity: Fidelity? = nil,
        agreementSHA256: String? = nil, programSHA256: String? = nil
    ) {
        self.resource = resource
        self.choice = choice
        self.scope = scope
        self.fidelity = fidelity
        self.agreementSHA256 = agreementSHA256
        self.programSHA256 = programSHA256
    }

    /// A grant of what the entry shows, for the program that it shows, and nothing else.
    public init(
        allowing entry: SettingsEntry, scope: Scope? = nil, fidelity: Fidelity? = nil
    ) {
        self.init(
            resource: entry.resource, choice: .allow, scope: scope, fidelity: fidelity,
            agreementSHA256: entry.agreementSHA256, programSHA256: entry.programSHA256)
    }
}

/// `PUT /v1/mute`: the mute that was asked for. `DELETE /v1/mute`: whether the user is still muted.
public struct MuteReply: Sendable, Hashable, Codable {
    public var muted: Bool
    /// Absent if nothing is muted.
    public var mutedBy: MutedBy?

    public init(muted: Bool, mutedBy: MutedBy? = nil) { (self.muted, self.mutedBy) = (muted, mutedBy) }

    public init(_ mute: Mute?, for user: UInt32) { self.init(muted: mute != nil, mutedBy: MutedBy(mute, for: user)) }
}

/// The mute in force, as its user may see it.
public struct MutedBy: Sendable, Hashable, Codable {
    /// Whose listening it ends: the user's, or that of all users of the machine.
    public var scope: MuteScope.Kind
    /// The path of the program that muted, safe to show. Absent: not known, or another user's.
    public var program: String?

    public init(scope: MuteScope.Kind, program: String? = nil) { (self.scope, self.program) = (scope, program) }

    public init?(_ mute: Mute?, for user: UInt32) {
        guard let mute else { return nil }
        self.init(scope: mute.scope.kind, program: mute.program(for: user))
    }

    /// The command that ends it.
    ///
    /// - Parameter mute: `nil`: one of which nothing more is known.
    public static func command(ending mute: MutedBy?) -> String { (mute?.scope ?? .user).unmuteCommand }
}

/// `PUT /v1/clients/{client}`; answered with 204: a manifest for the machine's own service, which reads no home folders.
/// Only VoiceGate's own command may call it.
public struct ManifestUpload: Sendable, Hashable, Codable {
    /// The Info.plist, byte for byte.
    public var manifest: Data
    /// Language, such as `ja` → its InfoPlist.strings, byte for byte.
    public var translations: [String: Data]

    public init(manifest: Data, translations: [String: Data] = [:]) {
        self.manifest = manifest
        self.translations = translations
    }
}
