import Authorization

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
