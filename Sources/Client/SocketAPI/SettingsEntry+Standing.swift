import Authorization
import Foundation

extension SettingsEntry {
    /// - Parameters:
    ///   - manifest: of a client that has one.
    ///   - present: the program that the manifest names, as it is now.
    ///   - isCarriedOver: whether the yes is good for that one too.
    ///   - language: of whoever reads it.
    ///   - engine: who recognises.
    public init(
        _ standing: SettledStanding, manifest: Manifest?, present: AllowedProgram?, isCarriedOver: Bool = false,
        language: Language = .english, engine: SpeechEngine = .ofService
    ) {
        let (key, terms) = (standing.key, standing.decision?.terms)
        self.init(
            client: key.client.rawValue, name: ShownName.text(manifest?.name ?? key.client.rawValue, of: key.client),
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
        usageDescription = manifest?.usageDescriptions[key.resource].map { DisplayText.cleaned($0, limit: 400) }
        let shown = manifest.map {
            Notice(settingsOf: $0, resource: key.resource, language: language, engine: engine)
        }
        notice = shown?.text
        recipients = shown?.practices.recipients
        if key.resource == .speechRecognition, manifest?.phrases.isEmpty == false { offersFidelity = true }
        restriction = standing.restriction.map { DisplayText.cleaned($0.reason ?? "", limit: 200) }
        if standing.isAllowedOnce { isAllowedOnce = true }
        question = standing.question.map(WaitingQuestion.init)
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
