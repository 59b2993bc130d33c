import Authorization
import Speech
import TestSupport

/// Microphones that a test knows. Notes `mean of DEVICE` and `learnt DEVICE TIME`.
struct StandInMeans: MicrophoneMeans {
    let notes: Recorder<String>
    var known: CepstralMean?

    func mean(of device: String, for requester: Requester) async -> CepstralMean? {
        notes.add("mean of \(device)")
        return known
    }

    func keep(_ mean: CepstralMean, of device: String, from session: SessionDescription, for time: KeepingTime) async {
        notes.add("learnt \(device) \(time)")
    }
}
