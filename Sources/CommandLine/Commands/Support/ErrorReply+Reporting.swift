import SocketAPI
import VoiceGateClient

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
