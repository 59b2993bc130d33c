/// A session. Recorded before it listens.
public struct SessionDescription: Sendable, Hashable {
    public let identifier: String
    public let requester: Requester
    /// Identifiers of its leases.
    public let grants: [Resource: String]
    /// Indexes of the records of the decisions that allow it.
    public let decisionRecords: [Resource: UInt64]
    /// Index of the record that allowed full fidelity for this session alone.
    public let fidelityRecord: UInt64?
    /// The ALSA device; `nil` for a file.
    public let device: String?
    public var sharing: Sharing
    public let engine: SpeechEngine
    /// What the monitors do that the service listened for; `nil`: the client listened.
    public let monitorAction: MonitorAction?

    /// - Parameter sharing: default: what the client declares. With an outside engine it is always `shared`.
    public init(
        identifier: String, requester: Requester, grants: [Resource: String],
        decisionRecords: [Resource: UInt64] = [:], fidelityRecord: UInt64? = nil, device: String?,
        sharing: Sharing? = nil, engine: SpeechEngine = .ofService, monitorAction: MonitorAction? = nil
    ) {
        self.identifier = identifier
        self.requester = requester
        self.grants = grants
        self.decisionRecords = decisionRecords
        self.fidelityRecord = fidelityRecord
        self.device = device
        self.engine = engine
        self.monitorAction = monitorAction
        let ofClient = sharing ?? Sharing(requester.client.manifest?.practices)
        self.sharing = engine.isOutside ? .shared : ofClient
    }

    public init(
        identifier: String, requester: Requester, leases: [Lease], device: String?, sharing: Sharing? = nil,
        engine: SpeechEngine = .ofService, monitorAction: MonitorAction? = nil
    ) {
        let records = leases.compactMap { lease in lease.decisionRecord.map { (lease.key.resource, $0) } }
        self.init(
            identifier: identifier, requester: requester,
            grants: Dictionary(leases.map { ($0.key.resource, $0.identifier) }) { first, _ in first },
            decisionRecords: Dictionary(records) { first, _ in first },
            fidelityRecord: leases.lazy.compactMap(\.fidelityRecord).first, device: device, sharing: sharing,
            engine: engine, monitorAction: monitorAction)
    }
}

/// How a session ended: the fields that its end record has besides those of its start.
public struct SessionOutcome: Sendable, Hashable {
    /// The `reason` of the session's `ended` event.
    public let reason: String
    public let account: ListeningAccount
    /// The device did not close in time: the service held it when the session ended.
    public let isDeviceHeld: Bool

    public init(reason: String, account: ListeningAccount, isDeviceHeld: Bool = false) {
        self.reason = reason
        self.account = account
        self.isDeviceHeld = isDeviceHeld
    }

    public var frames: Int64 { account.captured }
    /// Whole ones.
    public var milliseconds: Int64 { frames / ListeningAccount.framesInMillisecond }
}

/// Data of a session that was passed on to others.
public struct SharedData: Sendable, Hashable {
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// Never empty.
    public let recipients: [String]
    public let dataKinds: [DataKind]
    public let basis: Basis

    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// According to the client's manifest; what the client sends is not observed.
        case declared
        /// The service sent it to an outside engine.
        case sent
    }

    public init(
        session: String, client: ClientIdentifier, user: UInt32, recipients: [String], dataKinds: [DataKind],
        basis: Basis = .declared
    ) {
        self.session = session
        self.client = client
        self.user = user
        self.recipients = recipients
        self.dataKinds = dataKinds
        self.basis = basis
    }

    /// - Returns: `nil` if the client declares no recipients.
    public init?(declaredIn session: SessionDescription) {
        let client = session.requester.client
        guard let recipients = client.manifest?.practices.recipients, !recipients.isEmpty else { return nil }
        self.init(
            session: session.identifier, client: client.identifier, user: session.requester.caller.user,
            recipients: recipients, dataKinds: client.manifest?.practices.kinds ?? [])
    }

    /// - Returns: `nil` if the session's engine is the service's own.
    public init?(sentIn session: SessionDescription) {
        guard let engine = session.engine.recipient else { return nil }
        self.init(
            session: session.identifier, client: session.requester.client.identifier,
            user: session.requester.caller.user, recipients: [engine],
            dataKinds: [session.device == nil ? .recording : .liveAudio], basis: .sent)
    }
}
