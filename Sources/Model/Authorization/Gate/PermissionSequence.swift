/// The order in which dictation's two permissions are asked for: speech recognition, then the microphone.
///
/// The outcomes are those of the source's `checkAndRequestPermissions()`: a speech recognition that is denied or
/// restricted ends it there; the microphone's answer is a yes or a no (`AVAudioApplication.requestRecordPermission`
/// gives a `Bool`), so anything but a yes to it is `denied`, also where a policy restricts it.
public enum PermissionSequence {
    public enum Step: Sendable, Hashable {
        case ask(Resource)
        case end(AuthorizationStatus, decidedBy: Resource)
    }

    /// What to do with the two statuses as they are before anybody was asked.
    public static func firstStep(
        speechRecognition: AuthorizationStatus, microphone: AuthorizationStatus
    ) -> Step {
        switch speechRecognition {
        case .denied, .restricted: .end(speechRecognition, decidedBy: .speechRecognition)
        case .notDetermined: .ask(.speechRecognition)
        case .authorized: microphoneStep(microphone)
        }
    }

    /// What to do once the person has answered about speech recognition.
    public static func step(
        afterAskingSpeechRecognition answer: AuthorizationStatus, microphone: AuthorizationStatus
    ) -> Step {
        answer == .authorized ? microphoneStep(microphone) : .end(answer, decidedBy: .speechRecognition)
    }

    /// What it comes to once the person has answered about the microphone.
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
