/// This program's permissions: reads them, asks the user, and follows changes.
///
/// The counterpart of Core Location's manager with its delegate, and of `SFSpeechRecognizer.requestAuthorization` with
/// `AVAudioApplication.requestRecordPermission`. See Documentation/Permissions.md.
///
/// All methods can be cancelled: the prompt of a cancelled request is removed from the user's screen.
public actor AuthorizationManager {
    private let service: any SpeechService
    private let reconnection: Reconnection

    /// - Parameter service: in tests a `SpeechServiceDouble`.
    public init(service: any SpeechService = VoiceGateService()) {
        self.init(service: service, reconnection: Reconnection())
    }

    init(service: any SpeechService, reconnection: Reconnection) {
        self.service = service
        self.reconnection = reconnection
    }

    /// The status of a resource for this program. Does not ask the user.
    ///
    /// - Parameter resource: the resource.
    /// - Throws: `ClientError` when the service does not answer.
    public func status(of resource: Resource) async throws -> AuthorizationStatus {
        try await service.permissions().status(of: resource)
    }

    /// The microphone's status as `AVAudioApplication.recordPermission` would say it.
    public var recordPermission: RecordPermission {
        get async throws { RecordPermission(try await status(of: .microphone)) }
    }

    /// Asks the user if they have not decided, and waits for the answer. Returns if the resource is authorized.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - scope: `always` if the program also needs it without the user; they are asked for that later. `nil`: `whileInUse`.
    /// - Throws: `ClientError`: with `refused` if it is not authorized, for the reason in `refusal`; else the service could not
    ///   ask.
    public func requestAuthorization(for resource: Resource, scope: Scope? = nil) async throws {
        try await service.requestAuthorization(for: resource, scope: scope)
    }

    /// Requests what dictation needs: speech recognition, and the microphone once speech recognition is authorized. Returns if
    /// both are authorized.
    ///
    /// - Parameter scope: `always` if the program also needs them without the user; they are asked for that later. `nil`:
    ///   `whileInUse`.
    /// - Throws: `ClientError`: with `refused` if one is not authorized, for the reason in `refusal`; else the service could not
    ///   ask.
    public func checkAndRequestPermissions(scope: Scope? = nil) async throws {
        try await service.requestAuthorization(for: nil, scope: scope)
    }

    /// The present state, and then each change, in order, also one that was undone since. Each use starts with the state.
    ///
    /// Reconnects and continues after the last change that was read. Changes that are lost, because the service restarted
    /// or the reader is far behind, are reported as `gap`, and the state follows. Nothing is buffered. Ends when its task
    /// is cancelled.
    public nonisolated var changes: AsyncStream<PermissionChange> {
        let following = Following(service: service, reconnection: reconnection)
        return AsyncStream {
            await following.next()
        } onCancel: {
            following.stop()
        }
    }
}

/// What `AuthorizationManager.changes` reports.
public enum PermissionChange: Sendable, Hashable {
    /// The present state: first, and after each gap. `isMuted`: the user muted every program, and every status is `restricted`.
    case state([Resource: ResourceState], isMuted: Bool)
    /// The state right after one change, of the resources that changed.
    case changed([Resource: ResourceState], isMuted: Bool)
    /// Changes before this are not known; `state` follows.
    case gap
    /// The service cannot be reached, or refuses; connecting is tried again. Reported once until it is reached.
    case unreachable(ClientError)
}

/// The microphone's status in the words of `AVAudioApplication.recordPermission`, which knows three.
public enum RecordPermission: String, Sendable, Hashable, CaseIterable {
    /// The user has not been asked.
    case undetermined
    /// Also if a policy restricts it.
    case denied
    /// The user allowed it.
    case granted

    /// - Parameter status: the microphone's.
    public init(_ status: AuthorizationStatus) {
        switch status {
        case .notDetermined: self = .undetermined
        case .restricted, .denied: self = .denied
        case .authorized: self = .granted
        }
    }
}
