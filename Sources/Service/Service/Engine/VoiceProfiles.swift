import Authorization
import Crypto
import Foundation
import Glibc
import Retention
import SocketAPI
import Speech

/// The profiles of voices that are kept: each for one user and one client, and for nobody else.
struct VoiceProfiles: Sendable {
    let items: ItemStore
    /// SHA-256 of the means of the model that workers load now; `nil` when it cannot be told.
    let model: @Sendable () -> String?

    /// What the client's sessions of the user hear with; `nil`: nothing was learnt, or for another model.
    func transform(for client: ClientIdentifier, user: UInt32) async -> [UInt8]? {
        // A session without it is worse, and no reason to have none.
        guard let all = try? await profiles(ItemSelection(client: client, user: user)), !all.isEmpty,
            // Read and hashed, which nobody waits for who has no profile.
            let model = model()
        else { return nil }
        return all.last { $0.profile.model == model }.map { Array($0.profile.transform.utf8) }
    }

    /// Oldest first. What cannot be read is left out: `voicegate history` shows it.
    func profiles(_ selection: ItemSelection) async throws -> [(item: KeptItem, profile: KeptVoiceProfile)] {
        var found: [(item: KeptItem, profile: KeptVoiceProfile)] = []
        for item in try await items.items(selection) where item.kind == .voiceProfile {
            guard item.bytes <= KeptVoiceProfile.longest else { continue }
            var data = Data()
            guard let content = try? await items.open(item.identifier, user: item.user) else { continue }
            do {
                for try await chunk in content { data += chunk }
            } catch {
                continue
            }
            guard let profile = try? JSONCoding.decoder().decode(KeptVoiceProfile.self, from: data),
                profile.format == KeptVoiceProfile.format
            else { continue }
            found.append((item, profile))
        }
        return found
    }

    /// Keeps what was learnt in the item that was begun for it, in the place of any earlier one of its user and client.
    ///
    /// - Throws: also `RetentionError.erased`, when the permission was taken back meanwhile.
    func keep(_ adaptation: Adaptation, in writer: ItemWriter) async throws -> KeptItem {
        let earlier = try await profiles(ItemSelection(client: writer.item.client, user: writer.item.user))
        guard let model = model() else {
            throw EnrolmentError(
                code: .modelUnavailable, message: "The model went away while the voice was learnt; look at its folder.")
        }
        let profile = KeptVoiceProfile(
            model: model, transform: String(decoding: adaptation.transform, as: UTF8.self), gain: adaptation.gain,
            seconds: adaptation.seconds)
        try await writer.append(try JSONCoding.encoder().encode(profile))
        let kept = try await items.keep(writer)
        if !earlier.isEmpty {
            let identifiers = Set(earlier.map(\.item.identifier))
            try await items.erase(ItemSelection(identifiers: identifiers), for: .requested)
        }
        return kept
    }

    /// - Returns: how many were erased.
    func remove(_ selection: ItemSelection) async throws -> Int {
        let identifiers = Set(try await profiles(selection).map(\.item.identifier))
        guard !identifiers.isEmpty else { return 0 }
        return try await items.erase(ItemSelection(identifiers: identifiers), for: .requested)
    }

    func reply(_ item: KeptItem, _ profile: KeptVoiceProfile) -> VoiceProfileReply {
        VoiceProfileReply(
            item: item.identifier, client: item.client, date: item.date, until: item.end, gain: profile.gain,
            seconds: profile.seconds, fitsModel: profile.model == model())
    }
}

/// Gives each session the voice profile of the user and the client that its grant names.
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

/// A voice profile as it is kept: the only item of its kind that bears this format.
struct KeptVoiceProfile: Sendable, Hashable, Codable {
    static let format = "voicegate-mllr-1"
    /// Bytes of an item; the matrix of Debian's model has 5,400.
    static let longest: Int64 = 2 << 20

    var format = KeptVoiceProfile.format
    /// SHA-256 of the model's means, in hexadecimal: a transform is of use to them alone.
    var model: String
    /// As `SpeakerTransform` describes it.
    var transform: String
    var gain: AdaptationGain
    var seconds: Double
}

extension VoiceProfileReply {
    init(
        item: String?, client: ClientIdentifier, date: Date, until: Date?, gain: AdaptationGain, seconds: Double,
        fitsModel: Bool
    ) {
        self.init(
            item: item, client: client.rawValue, date: date, until: until, sentences: gain.sentences, words: gain.words,
            seconds: seconds, errorsBefore: gain.errorsBefore, errorsAfter: gain.errorsAfter, better: gain.better,
            worse: gain.worse, fitsModel: fitsModel)
    }
}

/// Which acoustic model a voice was learnt with.
enum ModelIdentity {
    private static let largest = 256 << 20

    /// SHA-256, in hexadecimal, of the file `means` of the acoustic model in the folder; `nil` where there is none.
    static func ofMeans(in folder: String) -> String? {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        // The same one that a worker takes: the first with a model definition.
        guard let name = names.first(where: { access("\(folder)/\($0)/mdef", R_OK) == 0 }),
            let data = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)/means"), options: .alwaysMapped),
            data.count <= largest
        else { return nil }
        return SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
