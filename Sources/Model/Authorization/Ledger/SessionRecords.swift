/// A session as it is written down before it listens.
public struct SessionDescription: Sendable, Hashable {
    /// UUID of the session.
    public let identifier: String
    public let requester: Requester
    /// The grants it stands on: identifiers of the leases, with their resources.
    public let grants: [Resource: String]
    /// The records of the decisions that those stand on; lacks what an earlier version decided.
    public let decisionRecords: [Resource: UInt64]
    /// The record of the yes to full fidelity for this session alone.
    public let fidelityRecord: UInt64?
    /// The ALSA device it opens, or `nil` when it reads a file.
    public let device: String?
    /// What is known about whether it leaves the machine.
    public var sharing: Sharing
    /// Where it is recognised.
    public let engine: SpeechEngine

    /// - Parameter sharing: default: what the client declares. An engine outside of the service receives the audio, whatever
    ///   the client does with it.
    public init(
        identifier: String, requester: Requester, grants: [Resource: String],
        decisionRecords: [Resource: UInt64] = [:], fidelityRecord: UInt64? = nil, device: String?,
        sharing: Sharing? = nil, engine: SpeechEngine = .ofService
    ) {
        self.identifier = identifier
        self.requester = requester
        self.grants = grants
        self.decisionRecords = decisionRecords
        self.fidelityRecord = fidelityRecord
        self.device = device
        self.engine = engine
        let ofClient = sharing ?? Sharing(requester.client.manifest?.practices)
        self.sharing = engine == .ofService ? ofClient : .shared
    }

    /// - Parameter leases: what it stands on.
    public init(
        identifier: String, requester: Requester, leases: [Lease], device: String?, sharing: Sharing? = nil,
        engine: SpeechEngine = .ofService
    ) {
        let records = leases.compactMap { lease in lease.decisionRecord.map { (lease.key.resource, $0) } }
        self.init(
            identifier: identifier, requester: requester,
            grants: Dictionary(leases.map { ($0.key.resource, $0.identifier) }) { first, _ in first },
            decisionRecords: Dictionary(records) { first, _ in first },
            fidelityRecord: leases.lazy.compactMap(\.fidelityRecord).first, device: device, sharing: sharing,
            engine: engine)
    }
}

/// How a session ended.
public struct SessionOutcome: Sendable, Hashable {
    /// The `reason` of the session's `ended` event.
    public let reason: String
    /// Frames read from the device or the file, at 16 kHz.
    public let frames: Int64

    public init(reason: String, frames: Int64) {
        self.reason = reason
        self.frames = frames
    }
}

/// What was passed on to others in a session.
public struct SharedData: Sendable, Hashable {
    /// UUID of the session.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// As the notice named them; never empty.
    public let recipients: [String]
    public let kinds: [DataKind]
    public let basis: Basis

    /// How it is known.
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// By what the client declares: nobody looks into what it sends.
        case declared
        /// The service sent it itself, to an engine outside of it.
        case sent
    }

    public init(
        session: String, client: ClientIdentifier, user: UInt32, recipients: [String], kinds: [DataKind],
        basis: Basis = .declared
    ) {
        self.session = session
        self.client = client
        self.user = user
        self.recipients = recipients
        self.kinds = kinds
        self.basis = basis
    }

    /// What the client says of itself.
    ///
    /// - Returns: `nil` where nobody receives anything, as far as is declared.
    public init?(declaredIn session: SessionDescription) {
        let client = session.requester.client
        let recipients = Recipients.of(client, engine: .ofService)
        guard !recipients.isEmpty else { return nil }
        self.init(
            session: session.identifier, client: client.identifier, user: session.requester.caller.user,
            recipients: recipients, kinds: client.manifest?.practices.kinds ?? [])
    }

    /// What the service sent.
    ///
    /// - Returns: `nil` where the session's engine is the service's own.
    public init?(sentIn session: SessionDescription) {
        guard let engine = session.engine.recipient else { return nil }
        self.init(
            session: session.identifier, client: session.requester.client.identifier,
            user: session.requester.caller.user, recipients: [engine], kinds: [.liveAudio], basis: .sent)
    }
}
