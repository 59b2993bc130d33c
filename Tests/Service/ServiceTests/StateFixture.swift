import Authorization
import Base
import Consent
import Glibc
import LinuxSystem
import NIOCore
import NIOPosix
import Retention
import Storage
import TestSupport
import Testing

@testable import PermissionRoutes
@testable import RecordRoutes
@testable import Server

/// A folder of a suite, with the service's log in its state directory.
struct StateFixture {
    static let moment = Moment(boot: "a", sinceBoot: 1_000_000, wall: 1_790_000_000_000)

    let folder: TemporaryFolder
    let storage: SQLiteStorage
    let log: ConsentLog
    /// The state directory.
    var path: String { folder.path + "/state" }

    init() async throws {
        folder = try TemporaryFolder()
        storage = try SQLiteStorage(directory: folder.path + "/state")
        log = try await ConsentLog.open(storage: storage) { Self.moment }
    }

    /// - Parameter ledger: default: the log.
    func items(_ ledger: (any Ledger)? = nil) throws -> ItemStore {
        ItemStore(
            table: storage, folder: try KeptFolder(stateDirectory: path), ledger: ledger ?? log,
            moment: { Self.moment })
    }

    /// While no session runs.
    func erasure() throws -> RecordErasure { RecordErasure(log: log, items: try items()) { [] } }

    /// Clients have their manifests in the folder's `clients`.
    func settings(_ gate: Gate, _ ledger: (any Ledger)? = nil) throws -> ClientSettings {
        ClientSettings(
            clients: ClientResolver.sample(folder.path + "/clients"), gate: gate, items: try items(ledger))
    }
}

extension ClientResolver {
    /// Of the manifests in a folder and of those that are built in, and of no others.
    static func sample(
        _ folder: String? = nil, builtIn: [Manifest] = [], inspector: CallerInspector = CallerInspector()
    ) -> ClientResolver {
        ClientResolver(
            clients: ClientCatalogs(ClientDirectory(systemFolders: [], userFolder: folder, builtIn: builtIn)),
            inspector: inspector, commandLine: Samples.identifier("io.voicegate.cli"))
    }

    /// Of the command line alone.
    static func ofCommandLine() throws -> ClientResolver {
        sample(builtIn: [try BuiltInClients.commandLine(beside: "/usr/bin")])
    }
}

extension Connection {
    /// Of this process.
    static func own(
        _ inspector: CallerInspector = CallerInspector(),
        closing: EventLoopFuture<Void> = MultiThreadedEventLoopGroup.singleton.next().makePromise().futureResult
    ) async throws -> Connection {
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        defer { for socket in sockets { close(socket) } }
        return Connection(closing: closing, peer: try await inspector.inspect(socket: sockets[0]))
    }
}
