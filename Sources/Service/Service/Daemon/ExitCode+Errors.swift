import ArgumentParser
import Consent
import PolicyFiles
import Prompting
import Storage

extension ExitCode {
    /// sysexits(3): how the service ends when it cannot start.
    init(startFailure error: any Error) {
        switch error {
        case let error as ServiceError where error.code == .alreadyRunning: self.init(75)
        case let error as ServiceError where error.code == .installation: self.init(69)
        case let error as StorageError where error.code == .locked: self.init(75)
        default: self.init(78)
        }
    }
}
