import Authorization
import Server
import ServiceLifecycle

/// Watches whether processes with a permission for one use are in use. Their end is an event; that a job leaves the foreground
/// of its terminal sends no event, and neither does a change of logind's sessions, so this looks while there is such a permission. While
/// there is none, it waits for the gate's next change.
package struct OnceWatch: Service {
    private let gate: Gate
    private let processes: ProcessWatch
    private let pause: Duration

    /// - Parameter pause: between two looks.
    package init(gate: Gate, processes: ProcessWatch, pause: Duration) {
        (self.gate, self.processes, self.pause) = (gate, processes, pause)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            // From before the first look, so that a change meanwhile is not missed.
            var changes = gate.history.signals().makeAsyncIterator()
            while !Task.isCancelled {
                let allowed = await gate.processesAllowedOnce
                if allowed.isEmpty {
                    guard await changes.next() != nil else { return }
                    continue
                }
                for process in allowed {
                    if let presence = await processes.presence(of: process) {
                        await gate.note(presence, of: process)
                    } else {
                        // It ended while its permission was being recorded.
                        await gate.processEnded(process)
                    }
                }
                try? await Task.sleep(for: pause)
            }
        }
    }
}
