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

/// A kind of audio data that a client may collect (`VoiceGateDataKinds` in its manifest).
public enum DataKind: String, Sendable, Hashable, Codable, CaseIterable {
    case liveAudio
    case transcript
    case recording
    case voiceProfile

    /// How a notice names it.
    public var phrase: String {
        switch self {
        case .liveAudio: "live audio"
        case .transcript: "the recognised text"
        case .recording: "recordings"
        case .voiceProfile: "a profile of your voice"
        }
    }
}

/// Who receives what a client hears, beside the client: the one place that says so.
public enum Recipients {
    /// The names that the client's manifest declares, and that of an engine outside of the service. Each once, in that
    /// order. Empty: nobody, as far as is declared.
    public static func of(_ client: Client, engine: SpeechEngine) -> [String] {
        var names = client.manifest?.practices.recipients ?? []
        if case .outside(let name) = engine, !names.contains(name) { names.append(name) }
        return names
    }
}

/// What is known about whether what a client gets leaves this machine through it.
public enum Sharing: String, Sendable, Hashable, Codable, CaseIterable {
    /// It has no network, by the kernel's word.
    case verified
    /// It says that nobody else receives anything. That is its word alone.
    case declared
    /// It says who else does.
    case shared
    /// It says nothing about it.
    case undeclared

    /// - Parameters:
    ///   - practices: what the client's manifest declares; `nil` without one.
    ///   - hasNetwork: `false` only where that was looked at.
    public init(_ practices: DataPractices?, hasNetwork: Bool = true) {
        if !hasNetwork {
            self = .verified
        } else if let recipients = practices?.recipients {
            self = recipients.isEmpty ? .declared : .shared
        } else {
            self = .undeclared
        }
    }
}

/// Where speech is recognised.
public enum SpeechEngine: Sendable, Hashable {
    /// In a worker of the service's own, which has no network.
    case ofService
    /// By somebody else, who thereby receives the audio.
    case outside(name: String)

    /// Who receives the audio; `nil`: nobody outside of the service.
    public var recipient: String? { if case .outside(let name) = self { name } else { nil } }
}
