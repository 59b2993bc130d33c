import Authorization
import SocketAPI

/// This program's permissions: reads them, asks the user, and follows changes.
///
/// The counterpart of Core Location's manager with its delegate, and of `SFSpeechRecognizer.requestAuthorization` with
/// `AVAudioApplication.requestRecordPermission`. See Documentation/permissions.md.
///
/// All methods can be cancelled: the prompt of a cancelled request is removed from the user's screen.
public actor AuthorizationManager {
    private let client: any SpeechService
    private let reconnection: Reconnection

    /// - Parameter client: in tests a `SpeechServiceDouble`.
    public init(client: any SpeechService = VoiceGateClient()) {
        self.init(client: client, reconnection: Reconnection())
    }

    init(client: any SpeechService, reconnection: Reconnection) {
        self.client = client
        self.reconnection = reconnection
    }

    /// The status of a resource for this program. Does not ask the user.
    ///
    /// - Throws: `ClientError` when the service does not answer.
    public func status(of resource: Resource) async throws -> AuthorizationStatus {
        try await client.authorization().status(of: resource)
    }

    /// The microphone's status as `AVAudioApplication.recordPermission` would say it.
    public var recordPermission: RecordPermission {
        get async throws { RecordPermission(try await status(of: .microphone)) }
    }

    /// Asks the user if they have not decided, and waits for the answer.
    ///
    /// - Returns: the status after that; anything but `authorized` means no access for now.
    /// - Throws: `ClientError` when the service could not ask.
    public func requestAuthorization(for resource: Resource) async throws -> AuthorizationStatus {
        try await request(resource)
    }

    /// Requests what dictation needs: speech recognition, and the microphone once speech recognition is authorized.
    ///
    /// - Returns: `authorized` if both are, else the status that ended it. A microphone that is not allowed, for any
    ///   reason, is `denied`.
    /// - Throws: `ClientError` when the service could not ask.
    public func checkAndRequestPermissions() async throws -> AuthorizationStatus { try await request(nil) }

    /// The present state, and then each change, in order, also one that was undone since. Each use starts with the state.
    ///
    /// Reconnects and continues after the last change that was read. Changes that are lost, because the service restarted
    /// or the reader is far behind, are reported as `gap`, and the state follows. Nothing is buffered. Ends when its task
    /// is cancelled.
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
            if let resource { return reply.status(of: resource) }
            return reply.speechRecognition == .authorized ? reply.microphone : reply.speechRecognition
        } catch let error as ClientError {
            // A refusal without a status is no answer about a permission.
            guard error.code == .refused, let status = error.reply?.error.status else { throw error }
            return status
        }
    }
}

/// What `AuthorizationManager.changes` reports.
public enum PermissionChange: Sendable, Hashable {
    /// The present state: first, and after each gap.
    case state([Resource: ResourceState])
    /// The state right after one change, of the resources that changed.
    case changed([Resource: ResourceState])
    /// Changes before this are not known; `state` follows.
    case gap
    /// The service cannot be reached; connecting is tried again. Reported once until it is reached.
    case unreachable(ClientError)
}

/// The microphone's status in the words of `AVAudioApplication.recordPermission`, which knows three.
public enum RecordPermission: String, Sendable, Hashable, CaseIterable {
    case undetermined
    /// Also if a policy restricts it.
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
