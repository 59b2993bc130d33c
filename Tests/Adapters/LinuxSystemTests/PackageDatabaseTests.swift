import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

/// A folder that only root can write to, up to the top, as those of packages are; the one for temporary files is
/// not.
private final class RootsFolder {
    let path = "/var/lib/voicegate-test-\(UUID().uuidString.prefix(8))"

    init() throws {
        for folder in [path, path + "/dpkg", path + "/bin"] { try #require(mkdir(folder, 0o755) == 0) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func list(_ paths: [String], as name: String = "notes") throws {
        let text = paths.map { $0 + "\n" }.joined()
        // Beside the old one and then renamed, as dpkg does it.
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/dpkg/\(name).list-new"))
        rename(path + "/dpkg/\(name).list-new", path + "/dpkg/\(name).list")
    }
}

@Suite("Files of the package manager", .enabled(if: geteuid() == 0, "needs root, who owns packages' files"))
struct PackageDatabaseTests {
    private let folder: RootsFolder
    private let database: PackageDatabase
    private var program: String { folder.path + "/bin/notes" }

    init() throws {
        folder = try RootsFolder()
        database = PackageDatabase(folder: folder.path + "/dpkg")
        // By another process; see CallerInspectorTests.
        try ChildProcess(["/bin/cp", "/usr/bin/perl", program]).waitForEnd()
        try folder.list(["/.", folder.path, folder.path + "/bin", program])
    }

    private func owns(_ path: String) throws -> Bool { try database.owner(of: path, FileMetadata(path: path)) != nil }

    @Test("a listed file of root belongs to the package manager; a changed list is read again")
    func listed() throws {
        #expect(try owns(program))
        try folder.list(["/.", program + "2"])
        #expect(try !owns(program))
        try folder.list(["/.", program], as: "other")
        #expect(try owns(program))
    }

    @Test("a file that others can write or replace does not belong to it")
    func writable() throws {
        for (path, mode) in [(program, mode_t(0o775)), (folder.path + "/bin", 0o757), (folder.path, 0o775)] {
            chmod(path, mode)
            #expect(try !owns(program), "\(path)")
            chmod(path, 0o755)
            #expect(try owns(program))
        }
        chown(program, 1234, 0)
        #expect(try !owns(program))
    }

    @Test("another file than the running one, a missing database and a partial path do not count")
    func others() throws {
        #expect(try database.owner(of: program, FileMetadata(path: "/usr/bin/perl")) == nil)
        #expect(
            try PackageDatabase(folder: folder.path + "/none").owner(of: program, FileMetadata(path: program)) == nil)
        try folder.list([program + "s", folder.path + "/bin", "x" + program])
        #expect(try !owns(program))
    }

    @Test("Debian's curl belongs to the package manager, and a copy in a temporary folder does not")
    func real() throws {
        let system = PackageDatabase()
        #expect(try system.owner(of: "/usr/bin/curl", FileMetadata(path: "/usr/bin/curl")) == "curl")
        let other = try TemporaryFolder()
        let copy = try other.write("curl", to: "curl", permissions: 0o755)
        #expect(try system.owner(of: copy, FileMetadata(path: copy)) == nil)
    }

    @Test(
        "a grant survives the program's update by the package manager, which is recorded; otherwise the user is asked again"
    )
    func carriesOver() async throws {
        let listener = try UnixListener()
        let inspector = CallerInspector(packages: database)
        let (ledger, agent) = (RecordingLedger(), StandInAgent { _ in .whileInUse })
        let gate = try await Gate(ledger: ledger, agent: agent)
        let manifest = Samples.manifest(executable: program)

        func requester() async throws -> Requester {
            let child = try ChildProcess([
                program, "-e",
                "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])); sleep",
                listener.path,
            ])
            let socket = listener.accept()
            defer { close(socket) }
            let caller = try await inspector.inspect(socket: socket).caller
            withExtendedLifetime(child) {}
            // Told to be a program with its own name; perl is only what there is to run.
            let client = ClientCatalog(clients: [RegisteredClient(manifest: manifest, path: nil)], problems: [:])
                .client(for: caller)
            return Requester(caller: caller, client: client, presence: .foreground)
        }
        func replace(addition: String) throws {
            let command =
                "cp /usr/bin/perl \(program).new && echo \(addition) >> \(program).new && mv \(program).new \(program)"
            try ChildProcess(["/bin/sh", "-c", command]).waitForEnd()
        }

        let first = try await requester()
        #expect(first.caller.executable.isPackageManaged)
        #expect(await gate.request(.microphone, for: first).status == .authorized)
        try replace(addition: "upgraded")
        let upgraded = try await requester()
        #expect(upgraded.caller.executable.sha256 != first.caller.executable.sha256)
        let grant = try await gate.microphoneGrant(for: upgraded)
        await gate.finish(grant.lease)
        #expect(agent.prompts.count == 1)
        let carried = try #require(
            ledger.events.compactMap { event in
                if case .carriedOver(let requester, .microphone, let previous) = event {
                    (requester, previous)
                } else {
                    nil
                }
            }.first)
        #expect(carried.1 == AllowedProgram(first.caller.executable))
        #expect(carried.0.caller.executable.sha256 == upgraded.caller.executable.sha256)

        // The same again, by a user whose file the package manager does not know.
        try folder.list(["/."])
        try replace(addition: "replaced")
        let replaced = try await requester()
        #expect(!replaced.caller.executable.isPackageManaged)
        #expect(await gate.status(of: .microphone, for: replaced) == .notDetermined)
        #expect(await gate.refusal(of: .microphone, for: replaced).code == .identityChanged)
        #expect(await gate.request(.microphone, for: replaced).status == .authorized)
        let notice = try #require(agent.prompts.last?.notice.title)
        for executable in [upgraded.caller.executable, replaced.caller.executable] {
            #expect(notice.contains(executable.sha256.prefix(8)))
        }
    }
}
