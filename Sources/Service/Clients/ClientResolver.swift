import Authorization
import LinuxProcesses

/// Tells which client calls: the process by the kernel's evidence, the application by the manifest that names its
/// program.
struct ClientResolver: Sendable {
    private let clients: ClientCatalogCache
    private let inspector: CallerInspector
    private let commandLine: ClientIdentifier

    init(directory: ClientDirectory, inspector: CallerInspector, commandLine: ClientIdentifier) {
        self.clients = ClientCatalogCache(directory: directory)
        self.inspector = inspector
        self.commandLine = commandLine
    }

    /// - Parameter presence: `nil`: as it is now.
    func requester(
        of context: ServiceContext, presence: Presence? = nil
    ) async throws -> (Connection, Requester) {
        try await requester(of: context, in: clients.current(), presence: presence)
    }

    /// The same, among clients that were looked at already.
    func requester(
        of context: ServiceContext, in current: (catalog: ClientCatalog, version: UInt64), presence: Presence? = nil
    ) throws -> (Connection, Requester) {
        guard let connection = context.connection else {
            throw RouteError(.notAllowed, "This connection has no process at its other end.")
        }
        let requester = Requester(
            caller: try connection.caller(),
            client: connection.client(in: current.catalog, version: current.version),
            presence: presence ?? connection.presence)
        return (connection, requester)
    }

    /// Whether this is VoiceGate's own command line, which acts for the person.
    func isCommandLine(_ requester: Requester) -> Bool { requester.client.identifier == commandLine }

    /// Clients with a manifest, by identifier.
    func names() async -> [ClientIdentifier: String] {
        Dictionary(
            await current().catalog.clients.map { ($0.manifest.identifier, $0.manifest.name) },
            uniquingKeysWith: { first, _ in first })
    }

    /// All clients as they are now, with a number that changes with them.
    func current() async -> (catalog: ClientCatalog, version: UInt64) { await clients.current() }

    /// The program a client's manifest names, as it is now.
    func program(of client: ClientIdentifier) async throws -> AllowedProgram {
        guard
            let manifest = await current().catalog.clients.first(where: { $0.manifest.identifier == client })?.manifest
        else {
            throw RouteError(
                .notFound,
                "No manifest describes \(client), so there is no program to allow. voicegate settings lists "
                    + "the clients that are known.")
        }
        return AllowedProgram(
            sha256: try await inspector.digest(ofFile: manifest.executablePath), path: manifest.executablePath)
    }
}
