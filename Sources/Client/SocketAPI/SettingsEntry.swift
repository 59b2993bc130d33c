import Authorization
import Foundation

/// One client and one resource in settings. What does not apply is absent.
public struct SettingsEntry: Sendable, Hashable, Codable {
    /// A program by its path and the beginning of the digest of what identifies it.
    public struct Program: Sendable, Hashable, Codable {
        public var path: String?
        /// The first 16 hexadecimal digits.
        public var sha256: String

        public init(_ program: AllowedProgram) {
            path = program.path.map { DisplayText.cleaned($0, limit: 400) }
            sha256 = String(program.sha256.prefix(16))
        }
    }

    /// What the person has not answered yet.
    public enum WaitingQuestion: String, Sendable, Codable, Hashable, CaseIterable {
        case firstUse, identityChanged, upgradeToAlways, review, temporaryFullFidelity

        public init(_ question: Question) {
            self =
                switch question {
                case .firstUse: .firstUse
                case .identityChanged: .identityChanged
                case .upgradeToAlways: .upgradeToAlways
                case .review: .review
                case .temporaryFullFidelity: .temporaryFullFidelity
                }
        }
    }

    public var client: String
    /// Safe to show on one line.
    public var name: String
    public var resource: Resource
    /// What the client sees; a policy may make it `restricted` whatever was decided.
    public var status: AuthorizationStatus
    /// When and how it was decided; absent when nothing is kept.
    public var decidedAt: Date?
    public var indication: Indication?
    public var verdict: Verdict?
    public var scope: Scope?
    public var upgrade: Upgrade?
    public var fidelity: Fidelity?
    public var usedAt: Date?
    public var reviewedAt: Date?
    /// When the yes ends if it is not used until then.
    public var expiresAt: Date?
    /// When the person is asked whether an always is to stay.
    public var reviewAt: Date?
    /// What the yes was given to.
    public var program: Program?
    /// What the client's manifest names now, where that is another program than the one the yes was given to.
    public var presentProgram: Program?
    /// Whether the yes was given to another program than the client is now.
    public var isChanged: Bool?
    /// The manifest's text, as it is shown with the question.
    public var usageDescription: String?
    /// What the client declares about the resource, with the four data items, in the language of whoever reads settings.
    /// A decision in settings is recorded with this text.
    public var notice: String?
    /// Whether a choice between all words and the client's phrases makes sense.
    public var offersFidelity: Bool?
    /// A policy forbids it; its reason, empty where it gives none.
    public var restriction: String?
    /// A process is allowed to use it for one session now.
    public var isAllowedOnce: Bool?
    public var question: WaitingQuestion?
    /// Who receives what the client gets, as its manifest declares. Empty: nobody. Absent: it does not say.
    public var recipients: [String]?

    public init(client: String, name: String, resource: Resource, status: AuthorizationStatus) {
        self.client = client
        self.name = name
        self.resource = resource
        self.status = status
    }
}
