import AuditBundle
import Authorization
import CommandClient
import EngineInstallation
import Glibc
import LinuxSystem
import SocketAPI
import Speech

import struct Prompting.PromptingError

/// Why a command failed, unless the service reported the reason.
struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
    enum Code: String, Sendable, Hashable, CaseIterable {
        /// A file is missing or cannot be read.
        case noInput
        case badManifest
        /// Standard output or a file cannot be written.
        case cannotWrite
        /// Prompts cannot be shown here.
        case cannotAsk
        /// `voicegate run`: the command does not match the client's manifest.
        case notThisClient
        /// `voicegate run`: the network cannot be removed.
        case cannotConfine
        /// The service or a program cannot be started.
        case cannotStart
        /// The service cannot be started, stopped or changed by this user, or by this means.
        case cannotControl
        /// config.yaml has an error.
        case badConfiguration
        /// The service stopped while it was needed.
        case serviceEnded
        /// Ctrl-C or another signal.
        case interrupted
        /// Records, a checkpoint or a bundle differ from what was signed.
        case doesNotVerify
        /// The log is not the one of a checkpoint that was kept elsewhere.
        case contradicts
        case notPublished
        /// An engine's description or one of its packages is not as it should be.
        case badEngine
        /// An engine's model is not free, and its licence was not accepted.
        case licence
        /// Another command does the same.
        case busy
        /// No suitable program is installed or usable here.
        case missingTool
        /// A program that should receive the text failed.
        case cannotDeliver
        case badProfile
        /// The user's replacements have a line that cannot be used.
        case badReplacements
        case noDictation, dictationRuns
        /// The user has seen the reason.
        case reported

        /// The exit code, unless the error has its own.
        fileprivate var status: ExitStatus {
            switch self {
            case .noInput, .noDictation: .noInput
            case .badManifest, .doesNotVerify, .badEngine: .badData
            case .contradicts: .contradiction
            case .cannotWrite: .cannotWrite
            case .cannotAsk, .cannotConfine, .cannotStart, .cannotControl, .serviceEnded, .notPublished, .missingTool,
                .cannotDeliver:
                .unavailable
            case .notThisClient, .badProfile, .badReplacements, .badConfiguration: .configuration
            case .dictationRuns, .busy: .busy
            case .licence: .usage
            case .interrupted: .interrupted
            case .reported: .internalError
            }
        }
    }

    let code: Code
    let message: String
    let status: ExitStatus

    init(_ code: Code, status: ExitStatus? = nil, _ message: String) {
        self.code = code
        self.status = status ?? code.status
        self.message = message
    }

    static let interrupted = CommandError(.interrupted, "Interrupted.")

    static let serviceEnded = CommandError(.serviceEnded, "The service stopped. Run the command again to start it.")

    static func reported(_ status: ExitStatus) -> CommandError { CommandError(.reported, status: status, "") }

    static func cannotRead(_ path: String, _ reason: String) -> CommandError {
        CommandError(.noInput, "\(path) cannot be read: \(reason).")
    }

    static func cannotWrite(_ path: String, _ reason: String) -> CommandError {
        CommandError(.cannotWrite, "\(path) cannot be written: \(reason).")
    }

    static func cannotStart(_ program: String, errno number: Int32) -> CommandError {
        CommandError(.cannotStart, "\(program) cannot be started: \(systemMessage(number)).")
    }

    var isReported: Bool { code == .reported || code == .interrupted }
    var description: String { message }
}

extension CommandError {
    /// The errors of other modules that mean the same in every command.
    init?(translating error: any Error) {
        switch error {
        case let error as FileError: self = .cannotRead(error.path, error.reason)
        case let error as ManifestError: self.init(.badManifest, error.description)
        case let error as ManifestInstallationError:
            self.init(error.code == .taken ? .badManifest : .cannotWrite, error.message)
        case let error as ProcessError: self.init(error.code == .noProgram ? .noInput : .cannotConfine, error.message)
        case let error as PromptingError: self.init(.cannotAsk, error.message)
        case let error as EngineInstallationError: self.init(error)
        case let error as VerifiedFolderError:
            self.init(error.code == .inputOutput ? .cannotWrite : .badEngine, error.message)
        case let problem as BundleProblem:
            switch problem.rule {
            case .readable: self.init(.noInput, problem.description)
            case .contradicts: self.init(.contradicts, problem.description)
            default: self.init(.doesNotVerify, "The bundle does not verify. \(problem) (rule \(problem.rule.rawValue))")
            }
        default: return nil
        }
    }
}

extension CommandError {
    private init(_ error: EngineInstallationError) {
        let code: Code =
            switch error.code {
            case .toolMissing, .notFetched: .missingTool
            case .damaged: .badEngine
            case .busy: .busy
            case .inputOutput: .cannotWrite
            }
        self.init(code, error.message)
    }
}

/// - Throws: unless it is met.
func require(
    _ isMet: Bool, _ code: CommandError.Code, status: ExitStatus? = nil, _ message: @autoclosure () -> String
) throws(CommandError) {
    if !isMet { throw CommandError(code, status: status, message()) }
}

/// - Throws: unless there is a value.
func require<Value>(
    _ value: Value?, _ code: CommandError.Code, status: ExitStatus? = nil, _ message: @autoclosure () -> String
) throws(CommandError) -> Value {
    if let value { return value }
    throw CommandError(code, status: status, message())
}

func systemMessage(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

extension ErrorReply {
    /// An error for programs; an error of the service as the service sent it.
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

/// The exit codes; those of sysexits.h where it has one.
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
    /// A checkpoint that was kept elsewhere contradicts the log or bundle.
    case contradiction = 76
    case noPermission = 77
    case configuration = 78
    case interrupted = 130

    /// - Throws: `CommandError` with `reported`, unless this is success.
    func check() throws(CommandError) {
        if self != .success { throw CommandError.reported(self) }
    }

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
        case .notRunning, .cannotConnect, .disconnected, .notRead, .protocolViolation: self = .unavailable
        case .unusablePath: self = .usage
        case .unreadableFile: self = .noInput
        case .untrustedServer: self = .noPermission
        case .refused: self = error.reply.map { ExitStatus(code: $0.error.code) } ?? .internalError
        }
    }

    /// - Parameter code: the code of an `ErrorReply`; an unknown one is an internal error.
    init(code: String) {
        self = ErrorReply.answer(with: code).flatMap { ExitStatus(rawValue: $0.exitCode) } ?? .internalError
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
        case .incomplete: self = .badData
        case .revoked, .restricted, .muted, .background, .locked, .switched, .asleep: self = .noPermission
        case .deviceLost, .failed, .disconnected, .clientStalled, .serviceStalled, .serviceStopped: self = .unavailable
        }
    }
}
