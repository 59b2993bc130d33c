import Base
import Foundation

/// A refusal. Callers react to `code`; the message is for people.
public struct AuthorizationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: RefusalCode
    /// The client's permission for the resource, or for all that it requested, when it was refused.
    public fileprivate(set) var status: AuthorizationStatus
    public let resource: Resource
    public let client: ClientIdentifier
    /// What was refused, by whom, and what to do next.
    public let message: String
    /// The command that changes the decision, if one does.
    public let settings: String?
    /// Seconds after which the client may ask again; `nil`: not known.
    public let retryAfter: Int64?

    public init(
        code: RefusalCode, status: AuthorizationStatus, resource: Resource, client: ClientIdentifier, message: String,
        settings: String? = nil, retryAfter: Int64? = nil
    ) {
        self.code = code
        self.status = status
        self.resource = resource
        self.client = client
        self.message = message
        self.settings = settings
        self.retryAfter = retryAfter
    }

    public var description: String { message }
}

/// How each interface answers with an error's code: the HTTP status, the exit code of a command (sysexits.h), and the seconds after
/// which asking again may help.
public typealias ErrorAnswer = (httpStatus: Int, exitCode: Int32, retryAfter: Int?)

/// Why the gate refuses. The raw values are the `code` of the socket API.
public enum RefusalCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// The person has not been asked, or wants to be asked later.
    case notDetermined
    case denied
    /// By an administrator's policy.
    case restricted
    /// The program is not the one that the person allowed.
    case identityChanged
    /// The client declares more than the person was shown.
    case termsWidened
    /// No manifest describes the program.
    case missingManifest
    /// The manifest lacks the usage description for the resource.
    case missingUsageDescription
    /// The client is in the background, and the request needs the foreground or `always`.
    case notInUse
    /// The user's screen is locked.
    case locked
    /// Another user's session is on the screen.
    case switched
    /// The machine is about to sleep.
    case asleep
    case muted
    /// Only the client's phrases are allowed, and the request needs full fidelity.
    case reducedFidelity
    case missingPurpose
    /// Always was requested, and the manifest declares nothing that the client does in the background.
    case missingBackgroundMode
    case alreadyFull
    /// The kernel's evidence about the program cannot be trusted, such as a sandbox whose metadata cannot be read.
    case untrusted
    /// The prompt could not be shown, or was not answered in time.
    case noAnswer
    case tooManyRequests
    /// The log could not be written, and nothing is granted without a record.
    case recordingFailed

    init(_ absence: Absence) {
        switch absence {
        case .locked: self = .locked
        case .switched: self = .switched
        case .asleep: self = .asleep
        }
    }

    public var answer: ErrorAnswer {
        switch self {
        case .recordingFailed: (503, 69, nil)
        case .tooManyRequests: (429, 75, 30)
        case .alreadyFull: (409, 77, nil)
        case .missingPurpose: (422, 77, nil)
        // Asking again helps only after somebody has changed something.
        default: (403, 77, nil)
        }
    }
}

extension AuthorizationError {
    /// - Parameter status: of all that was requested.
    func with(_ status: AuthorizationStatus) -> AuthorizationError {
        var refusal = self
        refusal.status = status
        return refusal
    }
}

/// The result of a request for permission: why it was refused; `nil` if all of it is allowed.
extension AuthorizationError? {
    public var status: AuthorizationStatus { self?.status ?? .authorized }

    public func check() throws(AuthorizationError) { if let self { throw self } }
}
