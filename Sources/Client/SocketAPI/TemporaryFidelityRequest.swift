/// `POST /v1/authorization/temporary-full-fidelity`: asks the person for full fidelity for this process's next session.
///
/// Answered with 200 and an `AuthorizationReply`, else with 403 (`notInUse`, `noAnswer` …), 409 (`alreadyFull`) or 422
/// (`missingPurpose`).
public struct TemporaryFidelityRequest: Sendable, Hashable, Codable {
    /// A key of the manifest's `VoiceGateTemporaryFullFidelityUsageDescriptionDictionary`.
    public var purposeKey: String

    public init(purposeKey: String) {
        self.purposeKey = purposeKey
    }
}
