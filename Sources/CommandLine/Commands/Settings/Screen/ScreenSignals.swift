import Dispatch
import Glibc

/// The signals that concern a full screen, as calls. The screen is put back before any of them has its effect.
final class ScreenSignals: Sendable {
    // Safe: never changed, and only kept so that they live as long as this does.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable (Int32) -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // Before curses looks: it leaves alone what is not the default.
            signal(number, SIG_IGN)
            source.setEventHandler { @Sendable in handler(number) }
            source.activate()
            return source
        }
    }
}
