// Written by Sources/Client/generate-swift from openapi.json.
import Foundation

extension Refusal {
    /// Why the service refuses. It may have reasons that this version does not know.
    public struct Reason: Word {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user has not been asked, or wants to be asked next time.
        public static let notDetermined = Reason(rawValue: "notDetermined")
        /// The user denied it; only settings change that.
        public static let denied = Reason(rawValue: "denied")
        /// The administrator's policy forbids it.
        public static let restricted = Reason(rawValue: "restricted")
        /// The program is not the one that the user allowed.
        public static let identityChanged = Reason(rawValue: "identityChanged")
        /// The program's manifest declares more than the user was shown.
        public static let termsWidened = Reason(rawValue: "termsWidened")
        /// The program has no manifest; the refusal has the command that changes it.
        public static let missingManifest = Reason(rawValue: "missingManifest")
        /// The program's manifest lacks the text that says why it needs the resource.
        public static let missingUsageDescription = Reason(rawValue: "missingUsageDescription")
        /// The program is in the background, and needs the foreground or `always`.
        public static let notInUse = Reason(rawValue: "notInUse")
        /// The user's screen is locked.
        public static let locked = Reason(rawValue: "locked")
        /// Another session is on the screen.
        public static let switched = Reason(rawValue: "switched")
        /// The machine is about to sleep.
        public static let asleep = Reason(rawValue: "asleep")
        /// The user muted every program.
        public static let muted = Reason(rawValue: "muted")
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
        /// The prompt could not be shown, also after the wait for an agent, or was closed, or was not answered in
        /// time. Nothing was decided.
        public static let noAnswer = Reason(rawValue: "noAnswer")
        /// The program has asked too often. `Retry-After` has seconds, if time alone helps.
        public static let tooManyRequests = Reason(rawValue: "tooManyRequests")
        /// The consent log could not be written, and nothing is granted without a record.
        public static let recordingFailed = Reason(rawValue: "recordingFailed")
        /// 400: the request cannot be read.
        public static let badRequest = Reason(rawValue: "badRequest")
        /// 403: this caller may not do this.
        public static let notAllowed = Reason(rawValue: "notAllowed")
        /// 409: an answer to a prompt that was shown too briefly to be read; the prompt still waits.
        public static let tooEarly = Reason(rawValue: "tooEarly")
        /// 409: what a decision is about has changed since it was shown. Read it again.
        public static let outdated = Reason(rawValue: "outdated")
        /// 408: the client let the service wait too long for the rest of its request.
        public static let clientStalled = Reason(rawValue: "clientStalled")
        /// 400: the client closed the connection, or its sending side, in the middle of its request.
        public static let clientGone = Reason(rawValue: "clientGone")
        /// 503: the service did not read the request in time; nothing is wrong with it.
        public static let serviceStalled = Reason(rawValue: "serviceStalled")
        /// 404: there is no such session, monitor, file or client.
        public static let notFound = Reason(rawValue: "notFound")
        /// 405: the header `Allow` names the path's methods.
        public static let methodNotAllowed = Reason(rawValue: "methodNotAllowed")
        /// 409: another program uses the capture device.
        public static let deviceBusy = Reason(rawValue: "deviceBusy")
        /// 413: the request is too large.
        public static let tooLarge = Reason(rawValue: "tooLarge")
        /// 415: not a readable sound file.
        public static let badAudio = Reason(rawValue: "badAudio")
        /// 422: values are out of range or contradict each other.
        public static let invalidValue = Reason(rawValue: "invalidValue")
        /// 503: the capture device is not there or cannot be opened.
        public static let deviceUnavailable = Reason(rawValue: "deviceUnavailable")
        /// 503: the recogniser cannot be used.
        public static let recognizerUnavailable = Reason(rawValue: "recognizerUnavailable")
        /// 503: the service's storage cannot be used.
        public static let storageUnavailable = Reason(rawValue: "storageUnavailable")
        /// 429: as many run as may run at a time. `Retry-After` has seconds.
        public static let busy = Reason(rawValue: "busy")
        /// 409: in conflict with what there is: something is in use, or there are as many of it as there may be.
        public static let conflict = Reason(rawValue: "conflict")
        /// 503: the service takes no more connections now, or it stops. `Retry-After` has seconds.
        public static let unavailable = Reason(rawValue: "unavailable")
        /// 500: a fault of the service.
        public static let internalError = Reason(rawValue: "internalError")
    }
}
