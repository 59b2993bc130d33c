/// The order of dictation's two permissions: speech recognition, then the microphone.
///
/// If speech recognition is denied or restricted, the microphone is not asked about. Anything but a grant of the microphone
/// is `denied`, as in `AVAudioApplication.requestRecordPermission`, which returns a `Bool`.
public enum PermissionSequence {
    public enum Step: Sendable, Hashable {
        case ask(Resource)
        case end(AuthorizationStatus, decidedBy: Resource)
    }

    public static func firstStep(
        speechRecognition: AuthorizationStatus, microphone: AuthorizationStatus
    ) -> Step {
        switch speechRecognition {
        case .denied, .restricted: .end(speechRecognition, decidedBy: .speechRecognition)
        case .notDetermined: .ask(.speechRecognition)
        case .authorized: microphoneStep(microphone)
        }
    }

    public static func step(
        afterAskingSpeechRecognition answer: AuthorizationStatus, microphone: AuthorizationStatus
    ) -> Step {
        answer == .authorized ? microphoneStep(microphone) : .end(answer, decidedBy: .speechRecognition)
    }

    public static func outcome(afterAskingMicrophone answer: AuthorizationStatus) -> AuthorizationStatus {
        answer == .authorized ? .authorized : .denied
    }

    private static func microphoneStep(_ status: AuthorizationStatus) -> Step {
        switch status {
        case .authorized: .end(.authorized, decidedBy: .microphone)
        case .denied, .restricted: .end(.denied, decidedBy: .microphone)
        case .notDetermined: .ask(.microphone)
        }
    }
}
