import Consent
import Foundation
import SocketAPI
import Speech

/// Everything that the checks look at, gathered once.
struct Facts: Sendable {
    enum Service: Sendable {
        case running(HealthReply)
        case notRunning
        /// Why it cannot be talked to.
        case unreachable(String)
    }

    /// This user.
    var user: UInt32
    var now: Date
    var timeZone: TimeZone
    /// Of this command.
    var version: String
    var service: Service
    var socketFolder: FolderFact
    /// `nil` where the service does not say which it is.
    var stateFolder: FolderFact?
    var diagnosis: DiagnosisReply?
    var verification: VerificationReport?
    var devices: [CaptureDevice]?
    /// What is wrong with the model's folder; `nil`: nothing, or not looked at.
    var modelProblem: String?
    var captureUse: CaptureUse
    /// `nil`: nothing is installed that could enforce anything.
    var enforcement: EnforcementFacts?
}
