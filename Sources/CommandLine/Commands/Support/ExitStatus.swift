import Authorization
import SocketAPI
import Speech
import VoiceGateClient

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
