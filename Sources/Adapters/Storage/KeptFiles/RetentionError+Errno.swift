import Foundation
import Retention

extension RetentionError {
    /// Translates `errno` after a call that was to do something with a path.
    init(errno number: Int32, doing action: String, path: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT: .full
            case ELOOP, ENOTDIR, EACCES, EPERM: .unusable
            default: .inputOutput
            }
        self.init(
            code: code,
            message:
                "Could not \(action) \(path): \(String(cString: strerror(number))). Free some room or put the folder "
                + "of kept data right.", underlyingCode: number)
    }
}
