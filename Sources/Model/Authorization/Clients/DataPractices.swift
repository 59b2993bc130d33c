/// The four things a privacy policy says about speech: kinds of audio data, purpose, retention, sharing.
public struct DataPractices: Sendable, Hashable, Codable {
    /// Item 1. What is collected.
    public var kinds: [DataKind]
    /// Item 2. What it is used for, in the client's own words.
    public var purpose: String
    /// Item 3. How long it is kept, in the client's own words; `nil`: nothing is kept.
    public var retention: String?
    /// Item 4. Who else receives it. Empty: nobody. `nil`: the client does not say, and the notice says so.
    public var recipients: [String]?
    /// What VoiceGate is to keep for the client (`VoiceGateKeptByService`), as it was declared; `kept` is what counts.
    public var keptByService: KeepingTimes

    public init(
        kinds: [DataKind], purpose: String, retention: String?, recipients: [String]?, keptByService: KeepingTimes = [:]
    ) {
        self.kinds = kinds
        self.purpose = purpose
        self.retention = retention
        self.recipients = recipients
        self.keptByService = keptByService
    }

    /// What VoiceGate keeps: nothing that the first and the third item do not declare too.
    public var kept: KeepingTimes { retention == nil ? [:] : keptByService.filter { kinds.contains($0.key) } }
}
