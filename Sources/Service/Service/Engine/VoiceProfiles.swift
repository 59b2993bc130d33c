import Authorization
import Cryptography
import Foundation
import Logging
import Retention
import SocketAPI
import Speech

/// The kept voice profiles: each for one user and one client only.
struct VoiceProfiles: Sendable {
    let items: ItemStore
    /// The folder of the model that recognises dictations by default; `nil`: an engine without one, which adapts to no voice.
    let modelFolder: String?
    private static let largestMeans = 256 << 20

    /// SHA-256, in hexadecimal, of the means of the acoustic model; `nil` if they cannot be read.
    func model() -> String? {
        guard let modelFolder else { return nil }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: modelFolder)) ?? []).sorted()
        // The same as a worker takes: the first with a model definition.
        guard let name = names.map({ "\(modelFolder)/\($0)" }).first(where: { access($0 + "/mdef", R_OK) == 0 }),
            let data = try? Data(contentsOf: URL(fileURLWithPath: name + "/means"), options: .alwaysMapped),
            data.count <= Self.largestMeans
        else { return nil }
        return Hexadecimal.encode(SHA256.hash(data: data))
    }

    /// The transform for the sessions of a client and a user; `nil`: nothing was learnt, or for another model.
    func transform(for client: ClientIdentifier, user: UInt32) async -> [UInt8]? {
        // A failure here must not prevent the session.
        guard let all = try? await profiles(ItemSelection(client: client, user: user)), !all.isEmpty,
            // Reading and hashing the model takes time: only if there is a profile.
            let model = model()
        else { return nil }
        return all.last { $0.value.model == model }.map { Array($0.value.transform.utf8) }
    }

    /// Oldest first.
    func profiles(_ selection: ItemSelection) async throws -> [(item: KeptItem, value: KeptVoiceProfile)] {
        try await items.voiceData(selection)
    }

    /// Keeps what was learnt in its item, and erases earlier profiles of the same user and client.
    ///
    /// - Throws: also `RetentionError.erased`, if the permission was withdrawn meanwhile.
    func keep(_ adaptation: Adaptation, in writer: ItemWriter) async throws -> KeptItem {
        let earlier = try await profiles(ItemSelection(client: writer.item.client, user: writer.item.user))
        guard let model = model() else {
            throw EnrolmentError(
                code: .modelUnavailable,
                message: "The model's files disappeared while the voice was learnt. Look at its folder.")
        }
        let profile = KeptVoiceProfile(
            model: model, transform: String(decoding: adaptation.transform, as: UTF8.self), gain: adaptation.gain,
            seconds: adaptation.seconds)
        try await writer.append(try JSONCoding.encoder().encode(profile))
        let kept = try await items.keep(writer)
        try await items.erase(earlier.map(\.item))
        return kept
    }

    func reply(_ item: KeptItem, _ profile: KeptVoiceProfile) -> VoiceProfileReply {
        VoiceProfileReply(
            item: item.identifier, client: item.client, date: item.date, until: item.end, gain: profile.gain,
            seconds: profile.seconds, fitsModel: profile.model == model())
    }
}

/// Gives each session the voice profile of its grant's user and client.
struct AdaptingRecognizer: Recognizer {
    let recognizer: any Recognizer
    let profiles: VoiceProfiles

    func engine(for configuration: RecognitionConfiguration) -> SpeechEngine {
        recognizer.engine(for: configuration)
    }

    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        var configuration = configuration
        let key = grant.lease.key
        if let transform = await profiles.transform(for: key.client, user: key.user) {
            configuration.adaptation = SpeakerAdaptation(mean: configuration.adaptation.mean, transform: transform)
        }
        return try await recognizer.start(configuration, grant: grant)
    }
}

/// What is kept of a voice or a microphone: an item of the kind `voiceProfile`, as JSON with a format of its own.
protocol KeptVoiceData: Sendable, Codable {
    static var currentFormat: String { get }
    /// Bytes of an item.
    static var longest: Int64 { get }
    var format: String { get }
}

extension ItemStore {
    /// Oldest first. Skips unreadable items: `voicegate history` shows them.
    func voiceData<Value: KeptVoiceData>(_ selection: ItemSelection) async throws -> [(item: KeptItem, value: Value)] {
        var found: [(item: KeptItem, value: Value)] = []
        for item in try await items(selection) where item.kind == .voiceProfile && item.bytes <= Value.longest {
            guard let data = try? await data(of: item),
                let value = try? JSONCoding.decoder().decode(Value.self, from: data),
                value.format == Value.currentFormat
            else { continue }
            found.append((item, value))
        }
        return found
    }

    /// - Returns: how many were erased.
    @discardableResult
    func erase(_ items: [KeptItem]) async throws -> Int {
        guard !items.isEmpty else { return 0 }
        return try await erase(ItemSelection(identifiers: Set(items.map(\.identifier))), for: .requested)
    }

    func data(of item: KeptItem) async throws -> Data {
        var data = Data()
        for try await chunk in try await open(item.identifier, user: item.user) { data += chunk }
        return data
    }
}

struct KeptVoiceProfile: KeptVoiceData, Hashable {
    static let currentFormat = "voicegate-mllr-1"
    /// The matrix of Debian's model has 5,400 bytes.
    static let longest: Int64 = 2 << 20

    var format = KeptVoiceProfile.currentFormat
    /// SHA-256 of the model's means, in hexadecimal: a transform fits only them.
    var model: String
    /// In the format of `SpeakerTransform`.
    var transform: String
    var gain: AdaptationGain
    var seconds: Double
}

/// The microphones of all users and clients, as kept items.
struct KeptMicrophones: MicrophoneMeans {
    /// Microphones of one user and client; a further one replaces the oldest.
    private static let most = 8

    let profiles: VoiceProfiles
    let logger: Logger

    private var items: ItemStore { profiles.items }

    func mean(of device: String, for requester: Requester) async -> CepstralMean? {
        let known = await all(of: requester).map(\.value).filter { $0.device == device }
        // Reading and hashing the model takes time: only if the microphone is known.
        guard !known.isEmpty, let model = profiles.model() else { return nil }
        return known.last { $0.model == model }?.mean
    }

    func keep(
        _ mean: CepstralMean, of device: String, from session: SessionDescription, for time: KeepingTime
    ) async {
        guard let model = profiles.model() else { return }
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
