import Authorization
import Foundation
import Logging
import Retention
import SocketAPI
import Speech

/// The microphones of all users and clients, as kept items.
struct KeptMicrophones: MicrophoneMeans {
    /// Of one user and client; the oldest is erased for a further one.
    private static let most = 8

    let items: ItemStore
    /// SHA-256 of the means of the model that workers load now; `nil` when it cannot be told.
    let model: @Sendable () -> String?
    let logger: Logger

    func mean(of device: String, for requester: Requester) async -> CepstralMean? {
        let known = await all(of: requester).map(\.microphone).filter { $0.device == device }
        // The model is read and hashed, which nobody waits for whose microphone is not known.
        guard !known.isEmpty, let model = model() else { return nil }
        return known.last { $0.model == model }?.mean
    }

    func keep(
        _ mean: CepstralMean, of device: String, from session: SessionDescription, for time: KeepingTime
    ) async {
        guard let model = model() else { return }
        let known = await all(of: session.requester)
        let earlier = known.filter { $0.microphone.device == device }
        let current = earlier.last { $0.microphone.model == model }?.microphone
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
            let surplus = known.filter { $0.microphone.device != device }.dropLast(Self.most - 1)
            let old = Set((earlier + surplus).map(\.item.identifier))
            if !old.isEmpty { try await items.erase(ItemSelection(identifiers: old), for: .requested) }
        } catch {
            logger.warning("what was learnt of a microphone is not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Oldest first. What cannot be read is left out: `voicegate history` shows it.
    private func all(of requester: Requester) async -> [(item: KeptItem, microphone: KeptMicrophone)] {
        let selection = ItemSelection(client: requester.client.identifier, user: requester.caller.user)
        var found: [(item: KeptItem, microphone: KeptMicrophone)] = []
        for item in (try? await items.items(selection)) ?? []
        where item.kind == .voiceProfile && item.bytes <= KeptMicrophone.longest {
            guard let data = try? await data(of: item),
                let microphone = try? JSONCoding.decoder().decode(KeptMicrophone.self, from: data),
                microphone.format == KeptMicrophone.format
            else { continue }
            found.append((item, microphone))
        }
        return found
    }

    private func data(of item: KeptItem) async throws -> Data {
        var data = Data()
        for try await chunk in try await items.open(item.identifier, user: item.user) { data += chunk }
        return data
    }
}

/// What was learnt of a microphone, as it is kept: the only item of its kind that bears this format.
struct KeptMicrophone: Sendable, Hashable, Codable {
    static let format = "voicegate-microphone-1"
    /// Bytes of an item; thirteen numbers take about 300.
    static let longest: Int64 = 8_192

    /// A minute of speech tells all there is to tell.
    private static let enough = 6_000
    /// Euclidean. Two halves of a session differ by less, another microphone or another gain by more.
    private static let another = 4.0

    var format = KeptMicrophone.format
    /// SHA-256 of the model's means, in hexadecimal: cepstra are those of its front end.
    var model: String
    var device: String
    var mean: CepstralMean

    /// What is known after a further session; `nil` when that tells nothing new.
    func learning(_ new: CepstralMean) -> KeptMicrophone? {
        guard new.values.count == mean.values.count else { return nil }
        let distance = zip(mean.values, new.values).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
            .squareRoot()
        // A microphone that was moved or turned up: what was known of it is past.
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
