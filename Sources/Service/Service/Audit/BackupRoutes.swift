import Consent
import Foundation
import Hummingbird
import SocketAPI
import Storage
import Synchronization

/// `POST /v1/audit/backups`: a copy of the log in the state directory, for as long as the connection is open.
///
/// It is not sent: the log's secret key is in it, and only who may read the service's own files is to have that.
final class BackupRoutes: Sendable {
    private let clients: ClientResolver
    private let log: ConsentLog
    private let backup: LogBackup
    private let mode: ServiceMode
    private let isTaken = Mutex(false)

    init(clients: ClientResolver, log: ConsentLog, backup: LogBackup, mode: ServiceMode) {
        self.clients = clients
        self.log = log
        self.backup = backup
        self.mode = mode
    }

    func add(to group: RouterGroup<ServiceContext>) { group.post("audit/backups", use: make) }

    private func make(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isPerson(requester) else {
            throw RouteError(.notAllowed, "The log is backed up by you alone: voicegate audit backup FOLDER")
        }
        guard mode.mayManage(requester.caller.user) else {
            throw RouteError(.notAllowed, "This log is that of all users, and is backed up by root.")
        }
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { throw RouteError(.busy, "Another backup is being made. Try again when it is done.") }
        let reply: BackupReply
        do {
            reply = BackupReply(folder: backup.path, records: await log.head.size)
            try await backup.make()
        } catch {
            isTaken.withLock { $0 = false }
            throw error
        }
        let (lines, continuation) = AsyncStream.makeStream(of: BackupReply.self)
        continuation.yield(reply)
        return Response(lines: lines) { [self] in
            // Kept open until then; what cannot be removed is tried again by the next one and at the next start.
            _ = continuation
            let removing = Task { try? await backup.remove() }
            await removing.value
            isTaken.withLock { $0 = false }
        }
    }
}
