// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

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
        (self.entries, self.muted, self.mutedBy, self.problems) = (entries, muted, mutedBy, problems)
        self.isPartial = isPartial
    }
}

/// One client and one resource. What does not apply is absent.
public struct SettingsEntry: Sendable, Hashable, Codable {
    /// A program by its path and the beginning of its digest.
    public struct Program: Sendable, Hashable, Codable {
        public var path: String?
        /// The first 16 hexadecimal digits.
        public var sha256: String
        /// Bytes; absent: unknown.
        public var size: Int64?
    }

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
    /// UTC, with milliseconds.
    public var usedAt: Date?
    /// UTC, with milliseconds.
    public var reviewedAt: Date?
    /// When the grant ends if it is not used.
    public var expiresAt: Date?
    /// When the user is asked whether a grant for always is to stay.
    public var reviewAt: Date?
    /// A program by its path and the beginning of its digest.
    public var program: Program?
    /// A program by its path and the beginning of its digest.
    public var presentProgram: Program?
    /// Whether the program has changed since the grant.
    public var isChanged: Bool?
    /// What the client declares beyond the grant, in the reader's language; it is asked about at the next use.
    public var new: String?
    /// The manifest's text, as prompts show it.
    public var usageDescription: String?
    /// What the client declares about the resource, with the four data items, in the reader's language. A decision
    /// in settings is recorded with this text.
    public var notice: String?
    /// SHA-256 of what the notice declares, as in the records of notices and answers; absent without a manifest.
    public var agreementSHA256: String?
    /// SHA-256 of what identifies the program, as it is now; absent without a manifest, or if the program cannot be
    /// read.
    public var programSHA256: String?
    /// Whether the user can choose between all words and the client's phrases.
    public var offersFidelity: Bool?
    /// The reason of the policy that forbids it; empty if the policy has none.
    public var restriction: String?
    /// Whether a process has a grant for one use now; the status does not include it.
    public var isAllowedOnce: Bool?
    public var question: Question.Kind?
    /// The recipients that the client's manifest declares. Empty: none. Absent: not declared.
    public var recipients: [String]?
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
    /// Of the entry that the user has read (`SettingsEntry`): a grant of anything else is refused as `outdated`.
    /// Absent: not compared.
    public var agreementSHA256: String?
    /// Of the entry that the user has read: a grant for another program is refused as `outdated`. Absent: not
    /// compared.
    public var programSHA256: String?

    public init(
        resource: Resource, choice: Choice, scope: Scope? = nil, fidelity: Fidelity? = nil,
        agreementSHA256: String? = nil, programSHA256: String? = nil
    ) {
        (self.resource, self.choice, self.scope, self.fidelity) = (resource, choice, scope, fidelity)
        (self.agreementSHA256, self.programSHA256) = (agreementSHA256, programSHA256)
    }
}

/// `PUT /v1/mute`: the mute that was asked for. `DELETE /v1/mute`: whether the user is still muted.
public struct MuteReply: Sendable, Hashable, Codable {
    public var muted: Bool
    /// Absent if nothing is muted.
    public var mutedBy: MutedBy?

    public init(muted: Bool, mutedBy: MutedBy? = nil) { (self.muted, self.mutedBy) = (muted, mutedBy) }
}

/// The mute in force. Absent if nothing is muted.
public struct MutedBy: Sendable, Hashable, Codable {
    /// Whose listening it ends: the user's, or that of all users of the machine.
    public var scope: MuteScope.Kind
    /// The path of the program that muted. Absent: not known, or another user's.
    public var program: String?

    public init(scope: MuteScope.Kind, program: String? = nil) { (self.scope, self.program) = (scope, program) }
}

/// A manifest and its translations by language.
public struct ManifestUpload: Sendable, Hashable, Codable {
    /// The Info.plist, byte for byte.
    public var manifest: Data
    /// Language, such as `ja` → its InfoPlist.strings, byte for byte.
    public var translations: [String: Data]

    public init(manifest: Data, translations: [String: Data] = [:]) {
        (self.manifest, self.translations) = (manifest, translations)
    }
}
