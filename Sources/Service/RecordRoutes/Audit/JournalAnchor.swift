import Consent
import LinuxSystem
import Logging
import ServiceLifecycle
import Synchronization

/// Writes the log's checkpoint into the system's journal at its start and at an interval if the log has grown, so that what
/// the service's user could rewrite is also where only root can.
package final class JournalAnchor: Service {
    private struct State {
        /// Records of the checkpoint that was written last.
        var size: UInt64 = 0
        var line: String?
        var problem: String?
    }

    /// Minutes; `nil`: nothing is written.
    package let minutes: Int?
    private let log: ConsentLog
    private let logger: Logger
    private let journal: SystemJournal
    private let state = Mutex(State())

    package init(log: ConsentLog, minutes: Int?, logger: Logger, journal: SystemJournal = SystemJournal()) {
        self.log = log
        self.minutes = minutes
        self.logger = logger
        self.journal = journal
    }

    /// Records of the checkpoint that was written last, since the service started.
    package var size: UInt64 { state.withLock { $0.size } }

    /// That checkpoint as a line to verify.
    package var line: String? { state.withLock { $0.line } }

    /// Why the last one could not be written.
    package var problem: String? { state.withLock { $0.problem } }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                if minutes != nil { await write() }
                try await Task.sleep(for: .seconds(60 * (minutes ?? 1_000_000)))
            }
        }
    }

    func write() async {
        do {
            let note = try await log.signedCheckpoint()
            guard let checkpoint = Checkpoint(text: note.text), checkpoint.size != size else { return }
            let line = "\(ShortCheckpoint(checkpoint.head))"
            try journal.write(
                "consent log: checkpoint \(line)",
                fields: [
                    "VOICEGATE_LOG": checkpoint.origin, "VOICEGATE_SIZE": String(checkpoint.size),
                    "VOICEGATE_ROOT": checkpoint.root.base64,
                ])
            state.withLock { $0 = State(size: checkpoint.size, line: line) }
        } catch {
            logger.error("no checkpoint was written to the journal", metadata: ["reason": "\(error)"])
            state.withLock { $0.problem = "\(error)" }
        }
    }
}
