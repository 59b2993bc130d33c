import Authorization
import Testing

/// `Tests/Stories/Sequence.txt` has the first step and the outcome of each pair of statuses.
@Suite("The order of the two permissions")
struct PermissionSequenceTests {
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
