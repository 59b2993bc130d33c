import Authorization

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
