import Foundation
import Speech

extension LearningProcess {
    static let cancelled = EnrolmentError(code: .cancelled, message: "It was given up; nothing of it is kept.")

    static let died = EnrolmentError(
        code: .failed,
        message: "The process that learns a voice ended too early; the service's log may say why. "
            + ""
            + "Try again.")

    static let tooSlow = EnrolmentError(
        code: .failed, message: "Learning the voice took too long and was ended; try again when the machine is idle.")

    static let unexpected = EnrolmentError(
        code: .protocolViolation,
        message: "The process that learns a voice said something else than it should; install VoiceGate again.")

    static func cannotStart(_ number: Int32) -> EnrolmentError {
        EnrolmentError(
            code: .failed,
            message: "The process that learns a voice cannot be started: \(String(cString: strerror(number))).")
    }
}
