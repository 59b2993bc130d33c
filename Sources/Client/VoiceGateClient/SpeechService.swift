import Authorization
import SocketAPI
import Speech

/// What a program asks of VoiceGate: its permissions, and text. `VoiceGateClient` asks the service; in the tests of a program
/// `SpeechServiceDouble` takes its place.
///
/// The methods are those of `VoiceGateClient`, where they are described.
public protocol SpeechService: Sendable {
    func authorization() async throws -> AuthorizationReply
    func authorizationChanges(after cursor: String?) async throws -> EventStream<AuthorizationEvent>
    func requestAuthorization(
        _ resource: Resource?, scope: Scope?, language: String?
    ) async throws -> AuthorizationReply
    func requestTemporaryFullFidelity(purposeKey: String) async throws -> AuthorizationReply
    func dictate(_ request: DictationRequest) async throws -> DictationStream
    func control(_ session: String, _ control: SessionControl) async throws
    func transcribe<File: AsyncSequence & Sendable>(
        _ file: File, told: TranscriptionRequest, language: String?, from: Double
    ) async throws -> DictationStream where File.Element == [UInt8]
}

extension VoiceGateClient: SpeechService {}

extension SpeechService {
    public func authorizationChanges() async throws -> EventStream<AuthorizationEvent> {
        try await authorizationChanges(after: nil)
    }

    public func requestAuthorization(_ resource: Resource? = nil) async throws -> AuthorizationReply {
        try await requestAuthorization(resource, scope: nil, language: nil)
    }

    public func dictate() async throws -> DictationStream { try await dictate(DictationRequest()) }

    public func transcribe<File: AsyncSequence & Sendable>(
        _ file: File
    ) async throws -> DictationStream where File.Element == [UInt8] {
        try await transcribe(file, told: TranscriptionRequest(), language: nil, from: 0)
    }
}
