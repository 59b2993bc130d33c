import CALSA
import Logging
import Synchronization

/// Sends the library's own messages to a log. The library has one handler for the whole process, so the first logger
/// stays.
enum LibraryMessages {
    private static let logger = Mutex<Logger?>(nil)

    static func send(to newLogger: Logger) {
        let isFirst = logger.withLock { current in
            guard current == nil else { return false }
            current = newLogger
            return true
        }
        if isFirst { calsa_set_message_handler(receive) }
    }

    // A global function, because ALSA calls it on whichever thread had the trouble.
    private static let receive:
        @convention(c) @Sendable (
            UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?
        ) -> Void = { function, error, message in
            guard let message else { return }
            let text = String(cString: message)
            let name = function.map { String(cString: $0) } ?? ""
            logger.withLock { $0 }?.debug(
                "ALSA: \(text)", metadata: ["function": "\(name)", "errno": "\(error)"])
        }
}
