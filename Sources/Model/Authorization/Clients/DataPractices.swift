import Base

/// The four data items of a client: kinds of audio data, purpose, retention, sharing.
public struct DataPractices: Sendable, Hashable {
    /// Item 1: what is collected.
    public var kinds: [DataKind]
    /// Item 2: what it is used for, in the client's own words.
    public var purpose: String
    /// Item 3: how long it is kept, in the client's own words; `nil`: nothing is kept.
    public var retention: String?
    /// Item 4: who else receives it. Empty: no one. `nil`: not declared, and the notice says so.
    public var recipients: [String]?
    /// What the manifest asks VoiceGate to keep (`VoiceGateKeptByService`); `kept` is what VoiceGate does keep.
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

    /// What VoiceGate keeps: only what items 1 and 3 declare too.
    public var kept: KeepingTimes { retention == nil ? [:] : keptByService.filter { kinds.contains($0.key) } }
}

/// A kind of audio data that a client may collect (`VoiceGateDataKinds`).
public enum DataKind: String, Sendable, Hashable, Codable, CaseIterable {
    case liveAudio
    case transcript
    case recording
    /// The mean of what one microphone hears, which recognition begins with.
    case microphoneProfile

    /// The English name in sentences.
    public var phrase: String { Language.english.wording.kind(self) }
}

/// Whether a client's audio data can leave this machine through the client.
public enum Sharing: String, Sendable, Hashable, Codable, CaseIterable {
    /// The client has no network, according to the kernel.
    case verified
    /// The client declares no recipients.
    case declared
    /// The client declares recipients.
    case shared
    /// The client declares nothing about it.
    case undeclared

    /// - Parameter hasNetwork: `false` only if that was verified.
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

/// What recognises speech.
public struct SpeechEngine: Sendable, Hashable {
    /// The name of an engine outside of the service, which receives the audio; `nil`: a worker of the service, which has no
    /// network.
    public let recipient: String?
    /// As notices show it; `nil`: unknown.
    public var name: String?
    public var version: String?
    /// SHA-256 of the engine, unless that is PocketSphinx, and of its model; `nil` if unknown.
    public var model: String?

    public init(recipient: String? = nil, name: String? = nil, version: String? = nil, model: String? = nil) {
        self.recipient = recipient
        self.name = name
        self.version = version
        self.model = model
    }

    public static let ofService = SpeechEngine()
    /// The identifier of PocketSphinx among the engines that can be chosen.
    public static let builtIn = "pocketsphinx"

    public static func outside(name: String) -> SpeechEngine { SpeechEngine(recipient: name) }

    public var isOutside: Bool { recipient != nil }

    /// The name with the version, safe to show; `nil` if unknown.
    public var title: String? {
        name.map { DisplayText.cleaned([$0, version].compactMap { $0 }.joined(separator: " "), limit: 100) }
    }

    /// The title, or who receives the audio; safe to show.
    public var shown: String? { title ?? recipient.map { DisplayText.cleaned($0, limit: 100) } }
}
