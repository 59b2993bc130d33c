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
