import Foundation

/// How a worker ended, from `waitpid`'s status.
struct WorkerExit: CustomStringConvertible {
    let status: Int32

    /// The signal that ended it, or `nil`.
    var signal: Int32? { status & 0x7F == 0 ? nil : status & 0x7F }

    var description: String {
        if let signal {
            "by signal \(signal) (\(String(cString: strsignal(signal))))"
        } else {
            "with status \(status >> 8 & 0xFF)"
        }
    }
}
