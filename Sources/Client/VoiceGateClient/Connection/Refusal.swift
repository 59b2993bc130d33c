import Foundation
import VoiceGateWire

/// The service's answer to a request that it refused.
public struct Refusal: Sendable, Hashable {
    /// Why, for programs. Stable, in each language of the message.
    public let reason: Reason
    /// What happened and what to do next, for people, in the language of the request.
    public let message: String
    /// The status after a request for permission; a word that this version does not know is `denied`.
    public internal(set) var status: AuthorizationStatus?
    /// The resource that was refused.
    public let resource: Resource?
    /// The bundle identifier of this program, as the service found it.
    public let client: String?
    /// The command that changes it, such as `voicegate settings org.example.notes --allow microphone`.
    public let command: String?
    /// How long to wait before the same request may succeed; only if time alone helps.
    public let retryAfter: Duration?

    /// A refusal, as a test's service gives it.
    ///
    /// - Parameters:
    ///   - reason: why, for programs.
    ///   - message: for people.
    ///   - status: after a request for permission.
    ///   - resource: that was refused.
    ///   - client: this program's bundle identifier.
    ///   - command: that changes it.
    ///   - retryAfter: how long to wait.
    public init(
        _ reason: Reason, message: String, status: AuthorizationStatus? = nil, resource: Resource? = nil,
        client: String? = nil, command: String? = nil, retryAfter: Duration? = nil
    ) {
        self.reason = reason
        self.message = message
        self.status = status
        self.resource = resource
        self.client = client
        self.command = command
        self.retryAfter = retryAfter
    }

    /// Why the service refuses. It may have reasons that this version does not know.
    public struct Reason: Word {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        // By the permission model.

        /// The user has not been asked, or wants to be asked next time.
        public static let notDetermined = Reason(rawValue: "notDetermined")
        /// The user denied it; only settings change that.
        public static let denied = Reason(rawValue: "denied")
        /// The administrator's policy forbids it.
        public static let restricted = Reason(rawValue: "restricted")
        /// The user muted every program.
        public static let muted = Reason(rawValue: "muted")
        /// The program is not the one that the user allowed.
        public static let identityChanged = Reason(rawValue: "identityChanged")
        /// The program's manifest declares more than the user was shown.
        public static let termsWidened = Reason(rawValue: "termsWidened")
        /// The program has no manifest; see `command`.
        public static let missingManifest = Reason(rawValue: "missingManifest")
        /// The program's manifest lacks the text that says why it needs the resource.
        public static let missingUsageDescription = Reason(rawValue: "missingUsageDescription")
        /// The program is in the background, and needs the foreground or `always`.
        public static let notInUse = Reason(rawValue: "notInUse")
        /// Only the program's phrases are allowed, and the request needs full fidelity.
        public static let reducedFidelity = Reason(rawValue: "reducedFidelity")
        /// The manifest has no text for this purpose of full fidelity.
        public static let missingPurpose = Reason(rawValue: "missingPurpose")
        /// `always` was requested, and the manifest declares nothing that the program does in the background.
        public static let missingBackgroundMode = Reason(rawValue: "missingBackgroundMode")
        /// Full fidelity was requested, and is there already.
        public static let alreadyFull = Reason(rawValue: "alreadyFull")
        /// The kernel's evidence about the program cannot be trusted.
        public static let untrusted = Reason(rawValue: "untrusted")
        /// The prompt could not be shown, or was closed, or was not answered in time. Nothing was decided.
        public static let noAnswer = Reason(rawValue: "noAnswer")
        /// The program has asked too often; see `retryAfter` and the message.
        public static let tooManyRequests = Reason(rawValue: "tooManyRequests")
        /// The consent log could not be written, and nothing is granted without a record.
        public static let recordingFailed = Reason(rawValue: "recordingFailed")

        // By the service.

        /// The request cannot be read.
        public static let badRequest = Reason(rawValue: "badRequest")
        /// This program may not do this.
        public static let notAllowed = Reason(rawValue: "notAllowed")
        /// The answer to a prompt came too early.
        public static let tooEarly = Reason(rawValue: "tooEarly")
        /// What was decided about has changed; read it again.
        public static let outdated = Reason(rawValue: "outdated")
        /// The program let the service wait too long for the rest of its request.
        public static let clientStalled = Reason(rawValue: "clientStalled")
        /// The program closed the connection in the middle of its request.
        public static let clientGone = Reason(rawValue: "clientGone")
        /// The service did not read the request in time.
        public static let serviceStalled = Reason(rawValue: "serviceStalled")
        /// There is no such session, monitor or file.
        public static let notFound = Reason(rawValue: "notFound")
        /// The service has no such call; it may be of an older version.
        public static let methodNotAllowed = Reason(rawValue: "methodNotAllowed")
        /// Another program uses the capture device.
        public static let deviceBusy = Reason(rawValue: "deviceBusy")
        /// The request is too large.
        public static let tooLarge = Reason(rawValue: "tooLarge")
        /// Not a sound file that can be read.
        public static let badAudio = Reason(rawValue: "badAudio")
        /// Values are out of range or contradict each other.
        public static let invalidValue = Reason(rawValue: "invalidValue")
        /// The capture device is not there or cannot be opened.
        public static let deviceUnavailable = Reason(rawValue: "deviceUnavailable")
        /// The recogniser cannot be used.
        public static let recognizerUnavailable = Reason(rawValue: "recognizerUnavailable")
        /// The service's storage cannot be used.
        public static let storageUnavailable = Reason(rawValue: "storageUnavailable")
        /// In conflict with what there is: something is in use, or there are as many of it as there may be.
        public static let conflict = Reason(rawValue: "conflict")
        /// As many run as may run at a time; see `retryAfter`.
        public static let busy = Reason(rawValue: "busy")
        /// The service takes no more connections now, or it stops; see `retryAfter`.
        public static let unavailable = Reason(rawValue: "unavailable")
        /// A fault of the service.
        public static let internalError = Reason(rawValue: "internalError")
    }
}

extension Refusal {
    /// The body of an answer with an error's status, of which other members are ignored.
    private struct Body: Decodable {
        struct Detail: Decodable {
            let code: Reason
            let message: String
            let status: AuthorizationStatus?
            let resource: String?
            let client: String?
            let settings: String?
        }

        let error: Detail
    }

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - status: the HTTP status. 429 and 503 are understood without a body.
    ///   - body: JSON.
    ///   - retryAfter: the header of this name: seconds.
    /// - Returns: `nil` if the answer does not say why.
    init?(httpStatus status: UInt, _ body: Data, retryAfter: String?) {
        let wait = retryAfter.flatMap { Int64($0.trimmingCharacters(in: .whitespaces)) }.map { max($0, 0) }
        if let detail = try? JSONCoding.decoder().decode(Body.self, from: body).error {
            self.init(
                detail.code, message: detail.message, status: detail.status,
                resource: detail.resource.flatMap(Resource.init(rawValue:)), client: detail.client,
                command: detail.settings, retryAfter: wait.map { .seconds($0) })
        } else if status == 429 || status == 503 {
            let when = wait.map { "in \($0) s" } ?? "later"
            self.init(
                status == 429 ? .busy : .unavailable, message: "The service is busy. Try again \(when).",
                retryAfter: wait.map { .seconds($0) })
        } else {
            return nil
        }
    }
}
