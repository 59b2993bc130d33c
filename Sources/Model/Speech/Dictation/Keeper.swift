import Authorization

/// Keeps what sessions hear, as far as that was declared and agreed to.
public protocol Keeper: Sendable {
    /// What it keeps, where it is declared and agreed to.
    var kinds: Set<DataKind> { get }

    /// Asked only where something may be kept, and before anything is heard. Nothing is made until there is something to
    /// keep.
    func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping
}

extension Keeper {
    public var kinds: Set<DataKind> { [.transcript, .recording] }
}

/// What is kept of one session. What goes wrong with it never reaches the session.
public protocol SessionKeeping: Sendable {
    /// Must not block. The same frames that the recogniser gets, in their order.
    func heard(_ frames: Frames)
    /// Must not block. The words that the client gets.
    func recognised(_ transcript: Transcript)
    /// Returns when all is kept, or nothing of it is there any more.
    ///
    /// - Parameter isKept: `false` when the client or the person threw it away.
    func end(isKept: Bool) async
}

/// Hands on what of a session may be kept: what the client's manifest declares now and what was agreed to with every
/// permission that the session stands on. Where that is nothing, nobody is asked to keep anything.
final class SessionTee: Sendable {
    private let keeping: (any SessionKeeping)?
    private let times: KeepingTimes
    private let leases: [Lease]

    init(_ keeper: (any Keeper)?, _ session: SessionDescription, _ leases: [Lease]) {
        self.leases = leases
        var times = Self.agreed(session.requester, leases).filter { keeper?.kinds.contains($0.key) ?? false }
        let isReduced = leases.contains { $0.fidelity == .reduced }
        // Of a file there is one already. At reduced fidelity nothing is kept that the client would not get.
        if session.device == nil || isReduced { times[.recording] = nil }
        if isReduced { times[.voiceProfile] = nil }
        self.times = times
        keeping = times.isEmpty ? nil : keeper?.begin(session, keeping: times)
    }

    /// What may be kept, and how long.
    static func agreed(_ requester: Requester, _ leases: [Lease]) -> KeepingTimes {
        leases.reduce(requester.client.manifest?.practices.kept ?? [:]) { $0.limited(by: $1.kept) }
    }

    func heard(_ frames: Frames) {
        guard times[.recording] != nil || times[.voiceProfile] != nil,
            leases.allSatisfy({ $0.isLive && $0.fidelity == .full })
        else { return }
        keeping?.heard(frames)
    }

    /// - Parameter event: as its client gets it.
    func told(_ event: DictationEvent) {
        guard times[.transcript] != nil, case .final(let transcript) = event, !transcript.text.isEmpty else { return }
        keeping?.recognised(transcript)
    }

    func end(_ ending: DictationEnding) async {
        await keeping?.end(isKept: ending != .cancelled && ending != .revoked)
    }
}

/// What earlier sessions have learnt of microphones: a handful of numbers each, of one user and one client and never
/// another's, kept as part of the voice profile and only as long as that was agreed to.
public protocol MicrophoneMeans: Sendable {
    /// - Parameter device: ALSA's PCM name.
    /// - Returns: `nil` where nothing was learnt.
    func mean(of device: String, for requester: Requester) async -> CepstralMean?

    /// Keeps what a session has learnt. What goes wrong with it never reaches the session.
    func keep(
        _ mean: CepstralMean, of device: String, from session: SessionDescription, for time: KeepingTime) async
}

/// What a session begins with of earlier ones, and what it leaves for later ones: nothing that was not agreed to with every
/// permission that it stands on.
struct SessionLearning: Sendable {
    let means: (any MicrophoneMeans)?
    let device: String
    let requester: Requester

    /// Where the person wants nothing of it kept any more, nothing of it is used either.
    func adaptation(_ leases: [Lease]) async -> SpeakerAdaptation {
        guard let means, agreedTime(leases) != nil else { return .none }
        return SpeakerAdaptation(mean: await means.mean(of: device, for: requester))
    }

    func keep(_ mean: CepstralMean?, of record: SessionRecord, _ ending: DictationEnding) async {
        guard let mean, [.ended, .silence].contains(ending), record.leases.allSatisfy(\.isLive),
            let time = agreedTime(record.leases)
        else { return }
        await means?.keep(mean, of: device, from: record.description, for: time)
    }

    private func agreedTime(_ leases: [Lease]) -> KeepingTime? {
        guard leases.allSatisfy({ $0.fidelity == .full }) else { return nil }
        return SessionTee.agreed(requester, leases)[.voiceProfile]
    }
}
