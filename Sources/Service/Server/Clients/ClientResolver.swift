import Authorization
import Foundation
import LinuxSystem
import Synchronization

/// The clients of a user, with a number that changes with them.
package typealias VersionedCatalog = (catalog: ClientCatalog, version: UInt64)

/// Identifies the client that calls: its process by the kernel's evidence, its application by the manifest of its program.
package struct ClientResolver: Sendable {
    package let clients: ClientCatalogs
    let inspector: CallerInspector
    package let commandLine: ClientIdentifier
    /// `nil`: no program is voicegate-sender.
    var sender: SenderProgram?
    /// `nil`: there is one user.
    package var users: UserRegister?
    /// For a caller that names none, and for prompts that it does not show itself.
    var language = Language(environment: ProcessInfo.processInfo.environment)

    package init(
        clients: ClientCatalogs, inspector: CallerInspector, commandLine: ClientIdentifier,
        sender: SenderProgram? = nil, users: UserRegister? = nil
    ) {
        (self.clients, self.inspector, self.commandLine) = (clients, inspector, commandLine)
        (self.sender, self.users) = (sender, users)
    }

    /// The client at the other end of a connection, as it is now.
    ///
    /// - Parameter language: what the caller prefers; `nil`: the service's own.
    package func requester(on connection: Connection, language: Language? = nil) async throws -> Requester {
        try await requester(on: connection, language: language, in: await current(of: connection.peer.caller.user))
    }

    /// The same, in a catalogue that was read already.
    ///
    /// - Parameter presence: `nil`: as it is now.
    package func requester(
        on connection: Connection, language: Language?, in current: VersionedCatalog, presence: Presence? = nil
    ) async throws -> Requester {
        // Before anything that the user's number has is looked at.
        try await users?.check(connection.peer.caller.user)
        let (catalog, version) = current
        let (caller, client) = try await connection.identity(in: version) { (caller) throws(ProcessError) in
            try await identify(caller, on: connection, catalog)
        }
        if case .unit? = client.manifest?.binding, caller.responsible == nil { try connection.peer.recheckUnit() }
        let language = language ?? self.language
        // The command line shows its prompts itself; another program must not choose a language the user cannot read.
        let isCommandLine = client.identifier == commandLine || caller.responsible != nil
        let present: Presence
        if let presence { present = presence } else { present = await connection.peer.presence() }
        return Requester(
            caller: caller, client: client, presence: present, language: language,
            noticeLanguage: isCommandLine ? language : self.language)
    }

    /// When a program runs VoiceGate's command line for itself, the client is that program.
    private func identify(
        _ caller: Caller, on connection: Connection, _ catalog: ClientCatalog
    ) async throws(ProcessError) -> (Caller, Client) {
        let (acting, client) = try await found(caller, on: connection, catalog)
        return (acting.identified(by: client.manifest), client)
    }

    private func found(
        _ caller: Caller, on connection: Connection, _ catalog: ClientCatalog
    ) async throws(ProcessError) -> (Caller, Client) {
        let client = try await connection.peer.client(in: catalog, as: caller)
        if client.manifest == nil, caller.evidence == .interpreter {
            return (caller, Client(codeIn: caller.executable))
        }
        guard client.identifier == commandLine, let manifest = client.manifest else { return (caller, client) }
        switch await connection.peer.responsible() {
        case .itself(nil):
            return (caller, client)
        case .itself(let wrapper?):
            // It has the command line's permissions, but changes none: what a wrapper reads may not be the user's.
            let acting = Caller(
                process: caller.process, user: caller.user, executable: caller.executable, evidence: caller.evidence,
                unit: caller.unit, responsible: wrapper)
            return (acting, client)
        case .program(let program):
            let acting = Caller(
                process: caller.process, user: caller.user, executable: program.executable, evidence: program.evidence,
                unit: program.unit, responsible: program.process)
            let own = try await connection.peer.client(in: catalog, as: acting)
            guard own.manifest == nil else { return (acting, own) }
            return (acting, Client(unregistered: acting.executable, using: manifest))
        case .unknown:
            let acting = Caller(
                process: caller.process, user: caller.user, executable: caller.executable, evidence: caller.evidence,
                unit: caller.unit, responsible: ProcessIdentity(processIdentifier: 0, startTime: 0))
            return (acting, Client(unknownProgramUsing: manifest))
        }
    }

    /// Whether this is VoiceGate's own command line, also if another program runs it.
    package func isCommandLine(_ requester: Requester) -> Bool {
        requester.client.identifier == commandLine || requester.caller.responsible != nil
    }

    /// Whether this is VoiceGate's own command line and no other program runs it, so that it acts for the user.
    package func isPerson(_ requester: Requester) -> Bool {
        requester.client.identifier == commandLine && requester.caller.responsible == nil
    }

    /// Whether this is the program that sends records to the collector, as its own user.
    func isSender(_ requester: Requester) -> Bool { sender?.isRun(by: requester.caller) == true }

    package func manifests(of user: UInt32) async -> [ClientIdentifier: Manifest] {
        Dictionary(
            await current(of: user).catalog.clients.map { ($0.manifest.identifier, $0.manifest) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether a grant for the program is valid for this one too, because the system's package manager installed it.
    package func carriesOver(_ allowed: AllowedProgram?, to present: AllowedProgram?, of user: UInt32) async -> Bool {
        guard let allowed, let present, allowed.sha256 != present.sha256, allowed.path == present.path else {
            return false
        }
        return await inspector.package(of: present, for: user) != nil
    }

    package func current(of user: UInt32) async -> VersionedCatalog { await clients.cache(of: user).current() }

    package func program(of client: ClientIdentifier, user: UInt32) async throws -> AllowedProgram {
        guard let manifest = await manifests(of: user)[client] else {
            let problem = await current(of: user).catalog.problem(of: client)
            throw RouteError(
                .notFound,
                "No manifest\(problem == nil ? "" : " without errors") describes \(client), so there is no program to "
                    + "allow. \(problem ?? "voicegate settings lists the clients that are known.")")
        }
        return try await inspector.program(of: manifest, for: user)
    }

    /// A client that does not call, by its manifest and program on disk; the process is this service's own. `nil` without a
    /// manifest, or if its program cannot be read.
    package func registered(
        _ client: ClientIdentifier, user: UInt32
    ) async -> (manifest: Manifest, requester: Requester)? {
        guard let manifest = await manifests(of: user)[client],
            let program = try? await inspector.program(of: manifest, for: user),
            let status = try? ProcessStatus(of: getpid())
        else { return nil }
        let caller = Caller(
            process: ProcessIdentity(processIdentifier: getpid(), startTime: status.startTime), user: user,
            executable: Executable(
                path: program.path ?? manifest.executablePath, device: 0, inode: 0, sha256: program.sha256,
                size: program.size, isPackageManaged: false, package: await inspector.package(of: program, for: user)))
        return (
            manifest,
            Requester(caller: caller, client: Client(manifest: manifest), presence: .background, language: language)
        )
    }
}

/// voicegate-sender, as the kernel reports it: the file beside the service, and who may run it.
package struct SenderProgram: Sendable {
    let path: String
    let user: UInt32

    /// - Returns: `nil` if the user of the package voicegate-sender, which enforced mode requires, is not there.
    package init?(beside folder: String, _ mode: ServiceMode) {
        guard let user = mode == .enforced ? UserNames.number(of: "voicegate-sender") : geteuid() else { return nil }
        path = folder + "/voicegate-sender"
        self.user = user
    }

    /// Whether the process runs this very file: in its own mount namespace, another file can have the same path. One
    /// system call, on the folder that the service itself runs from.
    func isRun(by caller: Caller) -> Bool {
        guard caller.user == user, caller.evidence == .executable, let file = try? FileMetadata(path: path) else {
            return false
        }
        return file.device == caller.executable.device && file.inode == caller.executable.inode
    }
}

/// The clients of each user: those of the system, and those that the user has installed.
package final class ClientCatalogs: Sendable {
    /// Users in the cache; each takes one of the service's inotify watches, which are 128 (inotify(7)).
    private static let most = 32

    private let directory: @Sendable (UInt32) -> ClientDirectory
    private let shared: ClientCatalogCache?
    /// Least recently used first.
    private let caches = Mutex<[(user: UInt32, cache: ClientCatalogCache)]>([])

    /// The same clients for all (advisory mode).
    package init(_ directory: ClientDirectory) {
        self.directory = { _ in directory }
        shared = ClientCatalogCache(directory: directory)
    }

    /// Each user's own (enforced mode).
    init(ofEach directory: @escaping @Sendable (UInt32) -> ClientDirectory) {
        self.directory = directory
        shared = nil
    }

    func cache(of user: UInt32) -> ClientCatalogCache {
        if let shared { return shared }
        return caches.withLock { caches in
            let known = caches.firstIndex { $0.user == user }.map { caches.remove(at: $0).cache }
            if known == nil, caches.count == Self.most { caches.removeFirst() }
            let cache = known ?? ClientCatalogCache(directory: directory(user))
            caches.append((user, cache))
            return cache
        }
    }
}

/// VoiceGate's own programs as clients. Their manifest is built into the service, so that it cannot be replaced.
package enum BuiltInClients {
    /// The command line, bound to the program beside this service rather than to the path in its manifest.
    ///
    /// - Parameter keeping: what the person wants to be kept, and for how long.
    package static func commandLine(beside folder: String, keeping: KeepingTimes = [:]) throws -> Manifest {
        let manifest = try Manifest(propertyList: Data(PackageResources.CommandLine_plist), path: nil)
        var practices = manifest.practices
        if !keeping.isEmpty {
            practices.kinds = DataKind.allCases.filter { practices.kinds.contains($0) || keeping[$0] != nil }
            practices.keptByService = keeping
            practices.retention = retention(keeping, .english)
        }
        return Manifest(
            identifier: manifest.identifier, name: manifest.name, executablePath: folder + "/voicegate",
            usageDescriptions: manifest.usageDescriptions, backgroundModes: manifest.backgroundModes,
            practices: practices, developmentRegion: manifest.developmentRegion,
            localizations: [
                .japanese: try texts(PackageResources.CommandLine_ja_strings, retention(keeping, .japanese)),
                .korean: try texts(PackageResources.CommandLine_ko_strings, retention(keeping, .korean)),
            ], isCommandLine: true)
    }

    private static func texts(_ bytes: [UInt8], _ retention: String?) throws -> ManifestTexts {
        var texts = try ManifestTexts(strings: Data(bytes), purposeKeys: [])
        texts.retention = retention
        return texts
    }

    /// For the longest of the times.
    private static func retention(_ keeping: KeepingTimes, _ language: Language) -> String? {
        let times = keeping.values
        let longest =
            times.first { $0.milliseconds == nil } ?? times.max { ($0.milliseconds ?? 0) < ($1.milliseconds ?? 0) }
        return longest.map(language.wording.retention)
    }
}
