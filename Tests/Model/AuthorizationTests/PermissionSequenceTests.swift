import Authorization
import Testing

@Suite("The order of the two permissions")
struct PermissionSequenceTests {
    typealias Step = PermissionSequence.Step

    struct Row: Sendable, CustomTestStringConvertible {
        let speech: AuthorizationStatus
        let microphone: AuthorizationStatus
        let step: Step
        var testDescription: String { "\(speech), \(microphone) → \(step)" }
    }

    /// The source's `checkAndRequestPermissions()`, read off for all sixteen pairs.
    static let table: [Row] = [
        Row(speech: .notDetermined, microphone: .notDetermined, step: .ask(.speechRecognition)),
        Row(speech: .notDetermined, microphone: .restricted, step: .ask(.speechRecognition)),
        Row(speech: .notDetermined, microphone: .denied, step: .ask(.speechRecognition)),
        Row(speech: .notDetermined, microphone: .authorized, step: .ask(.speechRecognition)),
        Row(speech: .restricted, microphone: .notDetermined, step: .end(.restricted, decidedBy: .speechRecognition)),
        Row(speech: .restricted, microphone: .restricted, step: .end(.restricted, decidedBy: .speechRecognition)),
        Row(speech: .restricted, microphone: .denied, step: .end(.restricted, decidedBy: .speechRecognition)),
        Row(speech: .restricted, microphone: .authorized, step: .end(.restricted, decidedBy: .speechRecognition)),
        Row(speech: .denied, microphone: .notDetermined, step: .end(.denied, decidedBy: .speechRecognition)),
        Row(speech: .denied, microphone: .restricted, step: .end(.denied, decidedBy: .speechRecognition)),
        Row(speech: .denied, microphone: .denied, step: .end(.denied, decidedBy: .speechRecognition)),
        Row(speech: .denied, microphone: .authorized, step: .end(.denied, decidedBy: .speechRecognition)),
        Row(speech: .authorized, microphone: .notDetermined, step: .ask(.microphone)),
        Row(speech: .authorized, microphone: .restricted, step: .end(.denied, decidedBy: .microphone)),
        Row(speech: .authorized, microphone: .denied, step: .end(.denied, decidedBy: .microphone)),
        Row(speech: .authorized, microphone: .authorized, step: .end(.authorized, decidedBy: .microphone)),
    ]

    @Test("A2 each of the sixteen pairs of statuses has the source's first step", arguments: table)
    func firstStep(_ row: Row) {
        let step = PermissionSequence.firstStep(speechRecognition: row.speech, microphone: row.microphone)
        #expect(step == row.step)
    }

    @Test("A2 the table is complete")
    func complete() {
        #expect(Set(Self.table.map { "\($0.speech) \($0.microphone)" }).count == 16)
    }

    @Test("A2 without a grant of speech recognition the sequence ends", arguments: AuthorizationStatus.allCases)
    func afterSpeech(_ answer: AuthorizationStatus) {
        let step = PermissionSequence.step(afterAskingSpeechRecognition: answer, microphone: .notDetermined)
        #expect(step == (answer == .authorized ? .ask(.microphone) : .end(answer, decidedBy: .speechRecognition)))
    }

    @Test("A2 the microphone's outcome is granted or denied", arguments: AuthorizationStatus.allCases)
    func afterMicrophone(_ answer: AuthorizationStatus) {
        #expect(
            PermissionSequence.outcome(afterAskingMicrophone: answer)
                == (answer == .authorized ? .authorized : .denied))
    }

    @Test("A2 an unknown status means denied")
    func unknown() {
        #expect(AuthorizationStatus(untrusted: "provisional") == .denied)
        #expect(AuthorizationStatus(untrusted: "") == .denied)
        #expect(AuthorizationStatus(untrusted: "authorized") == .authorized)
    }
}
