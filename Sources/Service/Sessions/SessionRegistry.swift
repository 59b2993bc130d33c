import Authorization
import Dictation
import Foundation
import SocketAPI

/// The sessions that run now: for the indicator, for control from another connection, and for the service's end.
actor SessionRegistry {
    private struct Entry {
        let shown: IndicatorReply.Session
        let user: UInt32
        /// `nil` for a file.
        let dictation: DictationSession?
        let task: Task<Void, Never>
    }

    /// Sessions at a time; each holds a recogniser of about 200 MB.
    static let mostSessions = 8

    private var entries: [String: Entry] = [:]
    private var reserved = 0
    private var isStopping = false

    /// Keeps a place for a session that is about to start; `release()` or `add` gives it back.
    func reserve() throws {
        guard !isStopping else { throw RouteError(.busy, "The service is being stopped.") }
        guard entries.count + reserved < Self.mostSessions else {
            throw RouteError(
                .busy,
                "\(Self.mostSessions) sessions run already. End one (voicegate status shows them), then try again.")
        }
        reserved += 1
    }

    func release() { reserved -= 1 }

    /// Turns a reserved place into a running session.
    func add(
        _ identifier: String, requester: Requester, device: String?, dictation: DictationSession?,
        task: Task<Void, Never>
    ) {
        reserved -= 1
        let shown = IndicatorReply.Session(
            session: identifier, client: requester.client.identifier.rawValue, name: requester.client.displayName,
            processIdentifier: requester.caller.process.processIdentifier, device: device, startedAt: Date())
        let entry = Entry(shown: shown, user: requester.caller.user, dictation: dictation, task: task)
        entries[identifier] = entry
        if isStopping { stop(entry) }
        Task {
            await task.value
            self.entries[identifier] = nil
        }
    }

    func sessions(ofUser user: UInt32) -> [IndicatorReply.Session] {
        entries.values.filter { $0.user == user }.map(\.shown).sorted { $0.startedAt < $1.startedAt }
    }

    func dictation(_ identifier: String, ofUser user: UInt32) -> DictationSession? {
        guard let entry = entries[identifier], entry.user == user else { return nil }
        return entry.dictation
    }

    /// Ends every session and returns when all are closed and recorded.
    func stopAll() async {
        isStopping = true
        for entry in entries.values { stop(entry) }
        for entry in entries.values { await entry.task.value }
    }

    private func stop(_ entry: Entry) {
        if let dictation = entry.dictation { dictation.serviceStops() } else { entry.task.cancel() }
    }
}
