import Authorization
import LinuxSystem
import Logging
import ServiceLifecycle
import SystemBus

/// Follows who is in front of the machine: notes it for the presence of clients and for the gate, and delays the machine's sleep until
/// the microphones are closed and that is recorded.
package actor AbsenceService: Service {
    package struct Parts: Sendable {
        let logins: LoginWatch
        let book: LoginBook
        /// Of the user that the service runs as; `nil`: it serves all users, or there is no session bus.
        let screenSavers: ScreenSaverWatch?
        let user: UInt32
        let gate: Gate
        let registry: SessionRegistry
        let logger: Logger

        package init(
            logins: LoginWatch, book: LoginBook, screenSavers: ScreenSaverWatch?, user: UInt32, gate: Gate,
            registry: SessionRegistry, logger: Logger
        ) {
            (self.logins, self.book, self.screenSavers, self.user) = (logins, book, screenSavers, user)
            (self.gate, self.registry, self.logger) = (gate, registry, logger)
        }
    }

    private let parts: Parts
    private var isScreenSaverActive = false
    /// Held while the machine is awake.
    private var delay: BusDescriptor?

    /// logind waits for 5 s (`InhibitDelayMaxSec` in logind.conf(5)).
    private static let longestDelay = Duration.seconds(4)

    package init(_ parts: Parts) { self.parts = parts }

    /// Before the first client is served.
    package func begin() async {
        parts.book.state = await parts.logins.state()
        await tellGate()
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self, parts] in
            await withDiscardingTaskGroup { group in
                // Without a bus there is nothing to follow, and a service that returns ends all of them.
                group.addTask { try? await gracefulShutdown() }
                group.addTask { await parts.logins.follow { await self.note($0) } }
                if let screenSavers = parts.screenSavers {
                    group.addTask { await screenSavers.follow { await self.note(isScreenSaverActive: $0) } }
                }
            }
        }
        delay = nil
    }

    private func note(_ state: LoginState) async {
        if case .unknown = state { parts.logger.error("logind does not answer, so no program counts as in use") }
        parts.book.state = state
        await tellGate()
        guard case .known(let logins) = state else { return }
        if logins.isSleeping {
            if delay != nil, await !parts.registry.isAtRest(within: Self.longestDelay) {
                parts.logger.error("the machine sleeps before each microphone is closed")
            }
            delay = nil
        } else if delay == nil {
            delay = await parts.logins.delaySleep(why: "Microphones are closed first.")
        }
    }

    private func note(isScreenSaverActive isActive: Bool) async {
        isScreenSaverActive = isActive
        await tellGate()
    }

    /// While logind does not answer, who is absent stays as it was.
    private func tellGate() async {
        var absences = Absences()
        switch parts.book.state {
        case .withoutLogind: break
        case .unknown: return
        case .known(let logins): absences = logins.absences
        }
        if isScreenSaverActive, absences[parts.user] == nil { absences.users[parts.user] = .locked }
        await parts.gate.note(absences)
    }
}
