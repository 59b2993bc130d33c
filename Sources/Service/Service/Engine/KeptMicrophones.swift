import Authorization
import Foundation
import Logging
import Retention
import SocketAPI
import Speech

/// The microphones of all users and clients, as kept items.
struct KeptMicrophones: MicrophoneMeans {
    /// Microphones of one user and client; a further one replaces the oldest.
    private static let most = 8

    let items: ItemStore
    /// SHA-256 of the means of the model that workers load now; `nil` if it cannot be read.
    let model: @Sendable () -> String?
    let logger: Logger

    func mean(of device: String, for requester: Requester) async -> CepstralMean? {
        let known = await all(of: requester).map(\.value).filter { $0.device == device }
        // Reading and hashing the model takes time: only if the microphone is known.
        guard !known.isEmpty, let model = model() else { return nil }
        return known.last { $0.model == model }?.mean
    }

    func keep(
        _ mean: CepstralMean, of device: String, from session: SessionDescription, for time: KeepingTime
    ) async {
        guard let model = model() else { return }
        let known = await all(of: session.requester)
        let earlier = known.filter { $0.value.device == device }
        let current = earlier.last { $0.value.model == model }?.value
        let new = current.map { $0.learning(mean) } ?? KeptMicrophone(model: model, device: device, mean: mean)
        guard let new else { return }
        do {
            let data = try JSONCoding.encoder().encode(new)
            let writer = try await items.begin(.voiceProfile, of: session, for: time)
            do {
                try await writer.append(data)
            } catch {
                await items.drop(writer.item)
                throw error
            }
            try await items.keep(writer)
            let surplus = known.filter { $0.value.device != device }.dropLast(Self.most - 1)
            try await items.erase((earlier + surplus).map(\.item))
        } catch {
            logger.warning("what was learnt of a microphone is not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Oldest first.
    private func all(of requester: Requester) async -> [(item: KeptItem, value: KeptMicrophone)] {
        let selection = ItemSelection(client: requester.client.identifier, user: requester.caller.user)
        return (try? await items.voiceData(selection)) ?? []
    }
}

struct KeptMicrophone: KeptVoiceData, Hashable {
    static let currentFormat = "voicegate-microphone-1"
    /// Thirteen numbers take about 300 bytes.
    static let longest: Int64 = 8_192

    /// Frames after which nothing more is learnt: a minute of speech.
    private static let enough = 6_000
    /// Euclidean distance: two halves of a session differ by less, another microphone or gain by more.
    private static let another = 4.0

    var format = KeptMicrophone.currentFormat
    /// SHA-256 of the model's means, in hexadecimal: cepstra are those of its front end.
    var model: String
    var device: String
    var mean: CepstralMean

    /// The mean after a further session; `nil` if that adds nothing.
    func learning(_ new: CepstralMean) -> KeptMicrophone? {
        guard new.values.count == mean.values.count else { return nil }
        let distance = zip(mean.values, new.values).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
            .squareRoot()
        // The microphone was moved or its gain changed: the old mean no longer applies.
        if distance > Self.another, new.frames >= Self.enough / 10 { return with(new) }
        guard mean.frames < Self.enough else { return nil }
        let share = Float(new.frames) / Float(mean.frames + new.frames)
        let values = zip(mean.values, new.values).map { $0 + ($1 - $0) * share }
        return CepstralMean(values: values, frames: min(mean.frames + new.frames, Self.enough)).map(with)
    }

    private func with(_ mean: CepstralMean) -> KeptMicrophone {
        KeptMicrophone(model: model, device: device, mean: mean)
    }
}
