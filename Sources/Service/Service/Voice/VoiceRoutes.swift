import Authorization
import Foundation
import Hummingbird
import Retention
import SocketAPI
import Speech

/// `/v1/voice-profile`: learning a voice for one client, looking at what is kept of it, and erasing it.
struct VoiceRoutes {
    let clients: ClientResolver
    let gate: Gate
    let ledger: any Ledger
    let source: any MicrophoneSource
    /// Without any profile: what is read is not heard with an earlier one.
    let recognizer: any Recognizer
    let registry: SessionRegistry
    let device: String
    let work: EnrolmentWork
    /// Whether anything can be kept.
    let canKeep: Bool
    let isOurEngine: Bool

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("voice-profile", use: list)
        group.post("voice-profile", use: listen)
        group.post("voice-profile/recordings", use: takeRecordings)
        group.delete("voice-profile", use: remove)
    }

    /// The client's own; for the person those of all clients.
    private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let profiles = try await work.profiles.profiles(try await selection(request, context))
        let (_, requester) = try await clients.requester(of: context)
        var problem: String?
        do { try checkReady(for: requester) } catch { problem = ErrorTranslation.answer(to: error).1.error.message }
        return try Response(
            json: VoiceProfilesReply(
                profiles: profiles.map { work.profiles.reply($0.item, $0.profile) }, problem: problem))
    }

    private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let erased = try await work.profiles.remove(try await selection(request, context))
        return try Response(json: ErasureReply(erased: erased))
    }

    private func selection(_ request: Request, _ context: ServiceContext) async throws -> ItemSelection {
        let (_, requester) = try await clients.requester(of: context)
        var selection = ItemSelection(client: requester.client.identifier, user: requester.caller.user)
        let isPerson = clients.isPerson(requester)
        guard let text = request.uri.queryParameters["client"].map(String.init) else {
            if isPerson { selection.client = nil }
            return selection
        }
        guard let client = ClientIdentifier(rawValue: text) else {
            throw RouteError(.invalidValue, "client is a bundle identifier, such as org.example.Editor.")
        }
        guard isPerson || client == requester.client.identifier else {
            throw RouteError(.notAllowed, "What is kept for another client is for the person alone.")
        }
        selection.client = client
        return selection
    }

    /// Before anybody reads for two minutes in vain.
    func checkReady(for requester: Requester) throws {
        let declared = requester.client.manifest?.practices.kept[.voiceProfile] != nil
        guard declared else {
            throw RouteError(
                .notAllowed,
                clients.isCommandLine(requester)
                    ? "A voice profile is kept only where you want it. Write  keepVoiceProfile: untilWithdrawn  into "
                        + "config.yaml, start the service again, and let it ask you:  voicegate reset --client "
                        + requester.client.identifier.rawValue
                    : "This program's manifest does not declare that a voice profile is kept: VoiceGateKeptByService "
                        + "needs voiceProfile.")
        }
        guard isOurEngine else {
            throw RouteError(
                .notAllowed, "A voice is learnt for PocketSphinx alone, and config.yaml names another engine.")
        }
        guard canKeep else {
            throw RouteError(.storageUnavailable, "Nothing can be kept now; the service's log says why.")
        }
        try work.learner.check()
    }

    static func notAgreed(_ requester: Requester) -> RouteError {
        RouteError(
            .notAllowed,
            "You have not agreed that a profile of your voice is kept. To be asked again:  voicegate reset --client "
                + requester.client.identifier.rawValue)
    }

    func sentences(_ given: [String]?) throws -> [String] {
        guard let given else { return EnrolmentText.english }
        typealias Bounds = EnrolmentClip.Bounds
        guard (Bounds.fewestClips...Bounds.mostClips).contains(given.count),
            given.allSatisfy({ $0.count <= Bounds.longestText && !PhraseBook.words(of: $0).isEmpty })
        else {
            throw RouteError(
                .invalidValue,
                "sentences are \(Bounds.fewestClips) to \(Bounds.mostClips), each of words and of at most "
                    + "\(Bounds.longestText) characters.")
        }
        return given
    }
}
