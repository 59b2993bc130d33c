import Authorization
import SocketAPI
import Speech
import VoiceGateClient

/// Why a command did not do what it was asked, where the service is not the one that says so.
struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
    enum Code: String, Sendable, Hashable, CaseIterable {
        /// A file is missing or cannot be read.
        case noInput
        /// A manifest that cannot be used as it is.
        case badManifest
        /// Standard output or a file cannot be written; the disk may be full.
        case cannotWrite
        /// Prompts cannot be shown here.
        case cannotAsk
        /// The command is not the client that it is to be started as.
        case notThisClient
        /// A program's network could not be taken away.
        case cannotConfine
        /// The service, or the program to run, could not be started.
        case cannotStart
        /// The service was stopped while it was needed.
        case serviceEnded
        /// Ctrl-C or another signal.
        case interrupted
        /// Records, a checkpoint or a bundle are not what was signed.
        case doesNotVerify
        /// A checkpoint did not leave this machine.
        case notPublished
        /// No program is there that could do what was asked, or none that may do it here.
        case missingTool
        /// A program that was to take the text failed.
        case cannotDeliver
        /// A profile that cannot be used as it is.
        case badProfile
        /// No dictation runs that could be steered, or one runs already.
        case noDictation, dictationRuns
        /// The session or a file ended badly; the person has been told already.
        case alreadyTold
    }

    let code: Code
    let message: String
    let status: ExitStatus

    init(_ code: Code, _ status: ExitStatus, _ message: String) {
        self.code = code
        self.status = status
        self.message = message
    }

    static let interrupted = CommandError(.interrupted, .interrupted, "Interrupted.")

    static let serviceEnded = CommandError(
        .serviceEnded, .unavailable, "The service has ended. The same command again starts it.")

    static func alreadyTold(_ status: ExitStatus) -> CommandError { CommandError(.alreadyTold, status, "") }

    var isReported: Bool { code == .alreadyTold || code == .interrupted }
    var description: String { message }
}

/// The exit codes, of sysexits.h where it has one.
enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    case success = 0
    /// voicegate doctor found something that needs attention.
    case attention = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case internalError = 70
    case cannotWrite = 74
    case busy = 75
    case noPermission = 77
    case configuration = 78
    case interrupted = 130

    init(_ error: any Error) {
        switch error {
        case let error as ClientError: self.init(error)
        case let error as CommandError: self = error.status
        case let error as SocketPathError: self.init(error.code)
        case let error as ErrorReply: self.init(code: error.error.code)
        case is CancellationError: self = .interrupted
        default: self = .internalError
        }
    }

    init(_ error: ClientError) {
        switch error.code {
        case .notRunning, .cannotConnect, .disconnected, .protocolViolation: self = .unavailable
        case .unusablePath: self = .usage
        case .untrustedServer: self = .noPermission
        case .refused: self = error.reply.map { ExitStatus(code: $0.error.code) } ?? .internalError
        }
    }

    /// - Parameter code: of an `ErrorReply`; one that is not known is an error of the program.
    init(code: String) {
        if let code = RefusalCode(rawValue: code) {
            self.init(code)
        } else if let code = ErrorCode(rawValue: code) {
            self.init(code)
        } else {
            self = .internalError
        }
    }

    init(_ code: RefusalCode) {
        switch code {
        case .notDetermined, .denied, .restricted, .identityChanged, .missingUsageDescription, .noAnswer, .notInUse,
            .muted, .reducedFidelity, .missingPurpose, .alreadyFull, .untrusted:
            self = .noPermission
        case .tooManyRequests: self = .busy
        case .recordingFailed: self = .unavailable
        }
    }

    init(_ code: ErrorCode) {
        switch code {
        case .badRequest, .internalError: self = .internalError
        case .notAllowed: self = .noPermission
        case .notFound, .methodNotAllowed: self = .noInput
        case .deviceBusy, .busy, .tooEarly: self = .busy
        case .tooLarge, .badAudio: self = .badData
        case .invalidValue: self = .usage
        case .deviceUnavailable, .recognizerUnavailable, .storageUnavailable: self = .unavailable
        }
    }

    init(_ code: SocketPathError.Code) {
        switch code {
        case .tooLong, .unusable: self = .usage
        case .notPrivate, .cannotCreate: self = .configuration
        }
    }

    init(_ ending: DictationEnding) {
        switch ending {
        case .ended, .silence: self = .success
        case .cancelled: self = .interrupted
        case .revoked, .restricted, .muted, .background: self = .noPermission
        case .deviceLost, .failed, .disconnected, .serviceStopped: self = .unavailable
        }
    }
}

extension ErrorReply {
    /// Any error as programs read it: the service's own words where it spoke.
    init(reporting error: any Error) {
        switch error {
        case let error as ClientError:
            self = error.reply ?? ErrorReply(code: error.code.rawValue, message: error.message)
        case let error as CommandError: self.init(code: error.code.rawValue, message: error.message)
        case let error as SocketPathError: self.init(code: error.code.rawValue, message: error.message)
        case let error as ErrorReply: self = error
        default: self.init(code: ErrorCode.internalError.rawValue, message: "\(error)")
        }
    }
}
