import Authorization
import Base
import Cryptography
import Foundation
import Logging
import Retention
import SocketAPI
import Speech

/// The microphones of all users and clients, as kept items of the kind `microphoneProfile`.
package struct KeptMicrophones: MicrophoneMeans {
    /// Microphones of one user and client; a further one replaces the oldest.
    private static let most = 8
    private static let largestMeans = 256 << 20

    private let items: ItemStore
    private let modelFolder: String?
    private let logger: Logger

    /// - Parameter modelFolder: of the model that recognises dictations by default; `nil`: an engine without one, which uses no
    ///   mean.
    package init(items: ItemStore, modelFolder: String?, logger: Logger) {
        (self.items, self.modelFolder, self.logger) = (items, modelFolder, logger)
    }

    package func mean(of device: String, for requester: Requester) async -> CepstralMean? {
        let known = await all(of: requester).map(\.value).filter { $0.device == device }
        // Reading and hashing the model takes time: only if the microphone is known.
        guard !known.isEmpty, let model = model() else { return nil }
        return known.last { $0.model == model }?.mean
    }

    package func keep(
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
            let writer = try await items.begin(.microphoneProfile, of: session, for: time)
            do {
                try await writer.append(data)
            } catch {
                await items.drop(writer.item)
                throw error
            }
            try await items.keep(writer)
            let surplus = known.filter { $0.value.device != device }.dropLast(Self.most - 1)
            let replaced = (earlier + surplus).map(\.item.identifier)
            if !replaced.isEmpty {
                _ = try await items.erase(ItemSelection(identifiers: Set(replaced)), for: .requested)
            }
        } catch {
            logger.warning("what was learnt of a microphone is not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Oldest first. Skips unreadable items: `voicegate history` shows them.
    private func all(of requester: Requester) async -> [(item: KeptItem, value: KeptMicrophone)] {
        let selection = ItemSelection(client: requester.client.identifier, user: requester.caller.user)
        var found: [(item: KeptItem, value: KeptMicrophone)] = []
        for item in (try? await items.items(selection)) ?? []
        where item.kind == .microphoneProfile && item.bytes <= KeptMicrophone.longest {
            guard let data = try? await items.data(of: item),
                let value = try? JSONCoding.decoder().decode(KeptMicrophone.self, from: data),
                value.format == KeptMicrophone.currentFormat
            else { continue }
            found.append((item, value))
        }
        return found
    }

    /// SHA-256, in hexadecimal, of the means of the acoustic model; `nil` if they cannot be read.
    private func model() -> String? {
        guard let modelFolder else { return nil }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: modelFolder)) ?? []).sorted()
        // The same as a worker takes: the first with a model definition.
        guard let name = names.map({ "\(modelFolder)/\($0)" }).first(where: { access($0 + "/mdef", R_OK) == 0 }),
            let data = try? Data(contentsOf: URL(fileURLWithPath: name + "/means"), options: .alwaysMapped),
            data.count <= Self.largestMeans
        else { return nil }
        return Hexadecimal.encode(SHA256.hash(data: data))
    }
}

/// What is kept of a microphone, as JSON with its own format.
struct KeptMicrophone: Hashable, Codable {
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
