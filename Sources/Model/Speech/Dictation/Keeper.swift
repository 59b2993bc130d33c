import Authorization

/// Keeps audio and text of sessions, as far as the client declares it and the user agreed.
public protocol Keeper: Sendable {
    /// Called before the session listens, and only if something may be kept. Creates nothing until there is data.
    func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping
}

/// What is kept of one session. Its failures never reach the session.
public protocol SessionKeeping: Sendable {
    /// The frames that the recogniser gets, in order. Must not block.
    func heard(_ frames: Frames)
    /// The text that the client gets. Must not block.
    func recognised(_ transcript: Transcript)
    /// Returns when everything is stored, or erased.
    ///
    /// - Parameter isKept: `false` if the client or the user discarded it.
    func end(isKept: Bool) async
}

/// Passes on what may be kept of a session: what the client's manifest declares now and the user agreed to with each of the
/// session's permissions.
final class SessionTee: Sendable {
    private let keeping: (any SessionKeeping)?
    private let times: KeepingTimes
    private let leases: [Lease]

    init(_ record: SessionRecord) {
        let leases = record.leases
        var times = Self.agreed(record.context.requester, leases)
        let isReduced = leases.contains { $0.fidelity == .reduced }
        // The client has the file already. At reduced fidelity nothing is kept that the client does not get.
        if record.description.device == nil || isReduced { times[.recording] = nil }
        // `SessionLearning` keeps it.
        times[.microphoneProfile] = nil
        self.leases = leases
        self.times = times
        keeping = times.isEmpty ? nil : record.context.keeper?.begin(record.description, keeping: times)
    }

    /// What may be kept, and for how long.
    static func agreed(_ requester: Requester, _ leases: [Lease]) -> KeepingTimes {
        leases.reduce(requester.client.manifest?.practices.kept ?? [:]) { $0.limited(by: $1.kept) }
    }

    func heard(_ frames: Frames) {
        guard times[.recording] != nil, leases.allSatisfy({ $0.isLive && $0.fidelity == .full }) else { return }
        keeping?.heard(frames)
    }

    /// - Parameter event: as the client gets it.
    func emitted(_ event: DictationEvent) {
        guard times[.transcript] != nil, case .final(let transcript) = event, !transcript.text.isEmpty else { return }
        keeping?.recognised(transcript)
    }

    func end(_ ending: DictationEnding) async {
        await keeping?.end(isKept: ending != .cancelled && ending != .revoked)
    }
}

/// The cepstral means of microphones from earlier sessions: of one user and one client and never of another, stored
/// as long as the user agreed.
public protocol MicrophoneMeans: Sendable {
    /// - Parameter device: ALSA's PCM name.
    /// - Returns: `nil` if there is none.
    func mean(of device: String, for requester: Requester) async -> CepstralMean?

    /// Failures never reach the session.
    func keep(
        _ mean: CepstralMean, of device: String, from session: SessionDescription, for time: KeepingTime) async
}

/// What a session uses of earlier ones and leaves for later ones; both only with the user's agreement.
struct SessionLearning: Sendable {
    let means: (any MicrophoneMeans)?
    let device: String
    let requester: Requester

    func mean(_ leases: [Lease]) async -> CepstralMean? {
        guard agreedTime(leases) != nil else { return nil }
        return await means?.mean(of: device, for: requester)
    }

    func keep(_ mean: CepstralMean?, of record: SessionRecord, _ ending: DictationEnding) async {
        guard let mean, [.ended, .silence].contains(ending), record.leases.allSatisfy(\.isLive),
            let time = agreedTime(record.leases)
        else { return }
        await means?.keep(mean, of: device, from: record.description, for: time)
    }

    private func agreedTime(_ leases: [Lease]) -> KeepingTime? {
        guard leases.allSatisfy({ $0.fidelity == .full }) else { return nil }
        return SessionTee.agreed(requester, leases)[.microphoneProfile]
    }
}
