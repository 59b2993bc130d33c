import Authorization
import Dispatch
import LinuxProcesses

/// Tells which client calls: the process by the kernel's evidence, the application by the manifest that names its
/// program.
struct ClientResolver: Sendable {
    private let directory: ClientDirectory
    private let inspector: CallerInspector
    private let commandLine: ClientIdentifier
    /// Reading manifests blocks, if only for a moment; a slow disk must not hold the shared pool.
    private let queue = DispatchQueue(label: "voicegate.clients", attributes: .concurrent)

    init(directory: ClientDirectory, inspector: CallerInspector, commandLine: ClientIdentifier) {
        self.directory = directory
        self.inspector = inspector
        self.commandLine = commandLine
    }

    func requester(of context: ServiceContext) async throws -> (Connection, Requester) {
        guard let connection = context.connection else {
            throw RouteError(.notAllowed, "This connection has no process at its other end.")
        }
        let requester = try await blocking { () throws(ProcessError) in
            let caller = try connection.caller()
            return Requester(
                caller: caller, client: directory.catalog().client(for: caller.executable),
                presence: connection.presence)
        }
        return (connection, requester)
    }

    /// Whether this is VoiceGate's own command line, which acts for the person.
    func isCommandLine(_ requester: Requester) -> Bool { requester.client.identifier == commandLine }

    /// The manifests that are in force, by identifier.
    func manifests() async -> [ClientIdentifier: Manifest] {
        Dictionary(
            await catalog().clients.map { ($0.manifest.identifier, $0.manifest) }, uniquingKeysWith: { first, _ in first })
    }

    /// Path → why the manifest there is not used.
    func problems() async -> [String: String] { await catalog().problems }

    /// The program a client's manifest names, as it is now.
    func program(of client: ClientIdentifier) async throws -> AllowedProgram {
        guard let manifest = await catalog().clients.first(where: { $0.manifest.identifier == client })?.manifest else {
            throw RouteError(
                .notFound,
                "No manifest describes \(client), so there is no program to allow. voicegate settings lists "
                    + "the clients that are known.")
        }
        return AllowedProgram(
            sha256: try await inspector.digest(ofFile: manifest.executablePath), path: manifest.executablePath)
    }

    private func catalog() async -> ClientCatalog {
        await blocking { () throws(Never) in directory.catalog() }
    }

    private func blocking<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }
}
