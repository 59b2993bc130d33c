import Authorization
import SocketAPI

/// This program's permissions: asks how they stand, asks the person, and follows what becomes of them.
///
/// The counterpart of Core Location's manager with its delegate, and of `SFSpeechRecognizer.requestAuthorization` with
/// `AVAudioApplication.requestRecordPermission`. See Documentation/permissions.md.
///
/// All methods can be cancelled: a request that nobody waits for any more is taken off the person's screen.
public actor AuthorizationManager {
    private let client: VoiceGateClient
    private let reconnection: Reconnection

    public init(client: VoiceGateClient = VoiceGateClient()) {
        self.init(client: client, reconnection: Reconnection())
    }

    init(client: VoiceGateClient, reconnection: Reconnection) {
        self.client = client
        self.reconnection = reconnection
    }

    /// How this program stands with a resource. Asks nobody.
    ///
    /// - Throws: `ClientError` when the service does not answer.
    public func status(of resource: Resource) async throws -> AuthorizationStatus {
        let reply = try await client.authorization()
        return switch resource {
        case .speechRecognition: reply.speechRecognition
        case .microphone: reply.microphone
        }
    }

    /// The microphone's status as `AVAudioApplication.recordPermission` would say it.
    public var recordPermission: RecordPermission {
        get async throws { RecordPermission(try await status(of: .microphone)) }
    }

    /// Asks the person where they have not decided, and waits for the answer.
    ///
    /// - Returns: what it came to; anything but `authorized` is a no for now.
    /// - Throws: `ClientError` when the service could not ask.
    public func requestAuthorization(for resource: Resource) async throws -> AuthorizationStatus {
        try await request(resource)
    }

    /// What dictation needs, as one call: speech recognition first; denied and restricted end it there; the microphone is
    /// asked for only after a yes to it.
    ///
    /// - Returns: `authorized` when both are; what ended it otherwise. A microphone that is not allowed, for whatever
    ///   reason, is `denied`.
    /// - Throws: `ClientError` when the service could not ask.
    public func checkAndRequestPermissions() async throws -> AuthorizationStatus { try await request(nil) }

    /// How things stand, and then each change, in order, also one that was undone meanwhile. Each call begins anew.
    ///
    /// It connects again by itself and goes on where it was. What cannot be told, after a restart of the service or when
    /// the reader is far behind, is told to be missing: `gap`, and then how things stand. Nothing is buffered here: a
    /// reader that does not read holds back nothing but itself. Ends when its task is cancelled.
    public nonisolated var changes: AsyncStream<PermissionChange> {
        let following = Following(client: client, reconnection: reconnection)
        return AsyncStream {
            await following.next()
        } onCancel: {
            following.stop()
        }
    }

    private func request(_ resource: Resource?) async throws -> AuthorizationStatus {
        do {
            let reply = try await client.requestAuthorization(resource)
            return switch resource {
            case .speechRecognition: reply.speechRecognition
            case .microphone: reply.microphone
            case nil: reply.speechRecognition == .authorized ? reply.microphone : reply.speechRecognition
            }
        } catch let error as ClientError {
            // A refusal without a status is no answer about a permission.
            guard error.code == .refused, let status = error.reply?.error.status else { throw error }
            return status
        }
    }
}

/// What `AuthorizationManager.changes` tells.
public enum PermissionChange: Sendable, Hashable {
    /// How things stand: first, and after each gap.
    case state([Resource: ResourceState])
    /// How things stood right after one change: the resource that it was about, or both.
    case changed([Resource: ResourceState])
    /// Changes before this are not known; `state` follows.
    case gap
    /// The service cannot be reached; it is tried again. Told once until it is there again.
    case unreachable(ClientError)
}

/// The microphone's status in the words of `AVAudioApplication.recordPermission`, which knows three.
public enum RecordPermission: String, Sendable, Hashable, CaseIterable {
    case undetermined
    /// Also where a policy restricts it.
    case denied
    case granted

    public init(_ status: AuthorizationStatus) {
        switch status {
        case .notDetermined: self = .undetermined
        case .restricted, .denied: self = .denied
        case .authorized: self = .granted
        }
    }
}
