import Authorization
import Base
import Foundation

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
        // A program without a manifest is known by its bytes; people know it by its file, or by what a prompt called it.
        let file = standing.decision?.program?.path?.split(separator: "/").last.map(String.init) ?? standing.shownName
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

extension SettingsEntry.Program {
    public init(_ program: AllowedProgram) {
        self.init(
            path: program.path.map { DisplayText.cleaned($0, limit: 400) }, sha256: String(program.sha256.prefix(16)),
            size: program.size)
    }
}

extension SettingsChange {
    /// A grant of what the entry shows, for the program that it shows, and nothing else.
    public init(allowing entry: SettingsEntry, scope: Scope? = nil, fidelity: Fidelity? = nil) {
        self.init(
            resource: entry.resource, choice: .allow, scope: scope, fidelity: fidelity,
            agreementSHA256: entry.agreementSHA256, programSHA256: entry.programSHA256)
    }
}

extension MuteReply {
    public init(_ mute: Mute?, for user: UInt32) { self.init(muted: mute != nil, mutedBy: MutedBy(mute, for: user)) }
}

/// The mute in force, as its user may see it.
extension MutedBy {
    public init?(_ mute: Mute?, for user: UInt32) {
        guard let mute else { return nil }
        self.init(scope: mute.scope.kind, program: mute.program(for: user))
    }

    /// The command that ends it.
    ///
    /// - Parameter mute: `nil`: one of which nothing more is known.
    public static func command(ending mute: MutedBy?) -> String { (mute?.scope ?? .user).unmuteCommand }
}
