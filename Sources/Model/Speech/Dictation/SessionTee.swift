import Authorization

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
