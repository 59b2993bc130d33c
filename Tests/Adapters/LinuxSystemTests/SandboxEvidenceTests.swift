import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Evidence of a sandbox or a unit")
struct SandboxEvidenceTests {
    private static let flatpak = "[Application]\nname=org.example.Notes\nruntime=runtime/x\n[Instance]\nname=other\n"
    private let child: ChildProcess
    private let proc: FakeProc

    init() throws {
        child = try ChildProcess(["/bin/sleep", "1000"])
        proc = try FakeProc(child.processIdentifier)
    }

    private func look() throws -> ConnectedCaller {
        let handle = try ProcessHandle(processIdentifier: child.processIdentifier)
        let credentials = PeerCredentials(processIdentifier: child.processIdentifier, user: geteuid())
        return try CallerInspector(root: proc.path).look(credentials, handle)
    }

    private func isUntrusted(_ caller: Caller) -> Bool { if case .untrusted = caller.evidence { true } else { false } }

    private func manifest(_ binding: Binding, program: String = "/bin/sleep") -> Manifest {
        Samples.manifest(of: program, binding: binding)
    }

    private func client(_ caller: Caller, _ manifest: Manifest) -> Client {
        ClientCatalog(clients: [RegisteredClient(manifest: manifest, path: nil)], problems: [:]).client(for: caller)
    }

    @Test("a Flatpak application is identified by its name and is not a program of the host")
    func flatpak() async throws {
        try proc.write(Self.flatpak, inRoot: ".flatpak-info")
        let connected = try look()
        #expect(connected.caller.evidence == .flatpak("org.example.Notes"))
        #expect(client(connected.caller, manifest(.flatpak("org.example.Notes"))).manifest != nil)
        #expect(client(connected.caller, manifest(.flatpak("org.example.Other"))).manifest == nil)
        #expect(client(connected.caller, manifest(.executable)).manifest == nil)
        let settings = try await CallerInspector().program(of: manifest(.flatpak("org.example.Notes")), for: geteuid())
        #expect(settings.sha256 == connected.caller.executable.sha256)
        try await connected.recheck()
        try proc.write(Self.flatpak, inRoot: "etc/other")
        rename(proc.path + "/\(proc.process)/root/etc/other", proc.path + "/\(proc.process)/root/.flatpak-info")
        await #expect(throws: ProcessError.self) { try await connected.recheck() }
    }

    @Test(
        "forged or unreadable metadata is untrusted and never counts as the host",
        arguments: [
            "", "[Application]\n", "[Runtime]\nname=org.example.Notes\n", "name=org.example.Notes\n",
            "[Application]\nname=org.example.Notes\nname=org.example.Other\n", "[Application]\nname=../../x\n",
            "[Application]\nname=a b\n", "[Application]\nname=\n",
            "[Application]\nname=org.example.Notes\n" + String(repeating: "#", count: 70_000),
        ])
    func forged(text: String) throws {
        try proc.write(text, inRoot: ".flatpak-info")
        let caller = try look().caller
        #expect(isUntrusted(caller))
        for binding in [Binding.executable, .flatpak("org.example.Notes")] {
            #expect(client(caller, manifest(binding)).manifest == nil)
        }
    }

    @Test("a program in another user namespace is untrusted, unless Flatpak's or a snap's own evidence names it")
    func otherUserNamespace() throws {
        try proc.folder.write("", to: "self/ns/empty")
        try proc.folder.write("", to: "\(proc.process)/ns/empty")
        symlink("/proc/self/ns/user", proc.path + "/self/ns/user")
        proc.link("/proc/self/ns/user", to: "ns/user")
        #expect(try look().caller.evidence == .executable)
        // Any other file of the kernel's; it has the same device and another number.
        proc.link("/proc/self/ns/net", to: "ns/user")
        let caller = try look().caller
        guard case .untrusted(let reason) = caller.evidence else {
            Issue.record("\(caller.evidence)")
            return
        }
        #expect(reason.contains("another user namespace"), "\(reason)")
        #expect(client(caller, manifest(.executable)).manifest == nil)
        try proc.write(label: "snap.notes.notes (complain)")
        #expect(isUntrusted(try look().caller))
        try proc.write(label: "snap.notes.notes (enforce)")
        #expect(try look().caller.evidence == .snap("notes"))
        try proc.write(label: "unconfined")
        try proc.write(Self.flatpak, inRoot: ".flatpak-info")
        #expect(try look().caller.evidence == .flatpak("org.example.Notes"))
    }

    /// A line of a real sandbox; Flatpak 1.14 makes the metadata's file with mode 0600.
    private static func mount(_ root: String, at place: String = "/app") -> String {
        "395 393 254:0 \(root) \(place) ro,nosuid,nodev,relatime - ext4 /dev/vda rw\n"
    }

    @Test(
        "the service of all users, which may not read the metadata, takes the name of what is mounted as the application"
    )
    func mounts() {
        let commit = String(repeating: "1a", count: 32)
        for folder in ["/var/lib/flatpak", "/@root/var/lib/flatpak", "/home/alice/.local/share/flatpak"] {
            let text =
                Self.mount("/usr/x", at: "/usr")
                + Self.mount("\(folder)/app/org.example.Notes/x86_64/1/\(commit)/files")
            #expect(FlatpakMounts(parsing: text).application == "org.example.Notes")
        }
        let real = "/var/lib/flatpak/app/org.example.Notes/x86_64/1/\(commit)/files"
        for text in [
            "", "\n", Self.mount(real, at: "/app2"), Self.mount(real) + Self.mount("/home/alice/files"),
            Self.mount("/home/alice/app/org.example.Notes/x86_64/1/\(commit)"),
            Self.mount("/app/org.example.Notes/x86_64/1/abc/files"),
            Self.mount("/var/lib/flatpak/runtime/org.example.Notes/x86_64/1/\(commit)/files"),
            Self.mount("/var/lib/flatpak/app/..//x86_64/1/\(commit)/files"), String(Self.mount(real).prefix(30)),
        ] { #expect(FlatpakMounts(parsing: text).application == nil, "\(text)") }
    }

    @Test("a link, a pipe, a device or a folder instead of the metadata is untrusted and blocks nothing")
    func notRegular() throws {
        let place = proc.path + "/\(proc.process)/root/.flatpak-info"
        try proc.write(Self.flatpak, inRoot: "etc/info")
        let makes: [() -> Void] = [
            { symlink(proc.path + "/\(proc.process)/root/etc/info", place) }, { mkfifo(place, 0o600) },
            { symlink("/dev/zero", place) }, { mkdir(place, 0o700) },
        ]
        for make in makes {
            make()
            #expect(isUntrusted(try look().caller))
            #expect(remove(place) == 0)
        }
        #expect(try look().caller.evidence == .executable)
    }

    @Test("Flatpak's scope without Flatpak's metadata is untrusted")
    func missingMetadata() throws {
        try proc.write(
            cgroup: "/user.slice/user-0.slice/user@0.service/app.slice/app-flatpak-org.example.Notes-77.scope")
        #expect(isUntrusted(try look().caller))
    }

    @Test("a snap is identified by its enforced label; its group must not name another")
    func snap() async throws {
        try proc.write(label: "snap.notes.app (enforce)\n")
        let caller = try look().caller
        #expect(caller.evidence == .snap("notes"))
        #expect(client(caller, manifest(.snap("notes"))).manifest != nil)
        #expect(client(caller, manifest(.executable)).manifest == nil)
        let settings = try await CallerInspector().program(of: manifest(.snap("notes")), for: geteuid())
        #expect(settings.sha256 == caller.executable.sha256)
        try proc.write(cgroup: "/user.slice/user-0.slice/user@0.service/app.slice/snap.notes.app-1234.scope")
        #expect(try look().caller.evidence == .snap("notes"))
        try proc.write(cgroup: "/user.slice/user-0.slice/user@0.service/app.slice/snap.other.app-1234.scope")
        #expect(isUntrusted(try look().caller))
    }

    @Test("a scope with a snap's name does not make a host program a snap")
    func forgedSnapScope() throws {
        try proc.write(cgroup: "/user.slice/user-0.slice/user@0.service/app.slice/snap.notes.app-1234.scope")
        for label in [nil, "unconfined\n", "snap.notes.app (complain)\n"] {
            if let label { try proc.write(label: label) }
            let caller = try look().caller
            #expect(caller.evidence == .executable)
            #expect(client(caller, manifest(.snap("notes"))).manifest == nil)
        }
    }

    @Test("a unit is the service of a process; scopes, other users' and invisible groups are not units")
    func units() throws {
        let user = geteuid()
        let manager = "/user.slice/user-\(user).slice/user@\(user).service"
        for (path, unit) in [
            ("/system.slice/notes.service", "notes.service"),
            ("/a.slice/a-b.slice/notes@x.service/sub", "notes@x.service"),
            ("\(manager)/app.slice/notes.service", "user/notes.service"), ("\(manager)/init.scope", nil),
            ("\(manager)/app.slice/app-notes-1.scope", nil), ("/user.slice/user-1.slice/session-2.scope", nil),
            ("/user.slice/user-4242.slice/user@4242.service/app.slice/notes.service", nil), ("/", nil),
            ("/../system.slice/notes.service", nil), ("/system.slice/notes.service (deleted)", nil),
        ] { #expect(ControlGroup(parsing: "0::\(path)\n")?.unit(ofUser: user)?.description == unit, "\(path)") }
        let mixed = "5:devices:/x\n1:name=systemd:/system.slice/a.service\n0::/system.slice/b.service\n"
        #expect(ControlGroup(parsing: mixed)?.unit(ofUser: user)?.name == "a.service")
    }

    @Test("this process, started without systemd, is in no unit and no sandbox")
    func real() async throws {
        let handle = try ProcessHandle(processIdentifier: child.processIdentifier)
        let credentials = PeerCredentials(processIdentifier: child.processIdentifier, user: geteuid())
        let connected = try CallerInspector().look(credentials, handle)
        #expect(connected.caller.evidence == .executable)
        try await connected.recheck()
    }

    @Test("a unit's manifest matches its program in that unit only; for a user's unit the program's bytes count")
    func unitManifest() async throws {
        let user = geteuid()
        let system = try #require(SystemdUnit("notes.service"))
        let own = try #require(SystemdUnit("user/notes.service"))
        #expect(client(try look().caller, manifest(.unit(system, script: nil))).manifest == nil)
        for (unit, path) in [
            (system, "/system.slice/notes.service"),
            (own, "/user.slice/user-\(user).slice/user@\(user).service/app.slice/notes.service"),
        ] {
            try proc.write(cgroup: path)
            let connected = try look()
            let manifest = manifest(.unit(unit, script: nil))
            #expect(client(connected.caller, manifest).manifest != nil)
            #expect(
                client(connected.caller, self.manifest(.unit(unit, script: nil), program: "/bin/cat")).manifest == nil)
            // Not bound to the unit: the program alone counts, in a unit or not.
            #expect(client(connected.caller, self.manifest(.executable)).manifest != nil)
            let known = connected.caller.identified(by: manifest).executable.sha256
            #expect(known != connected.caller.executable.sha256)
            #expect(try await CallerInspector().program(of: manifest, for: geteuid()).sha256 == known)
            try connected.recheckUnit()
            try proc.write(cgroup: "/system.slice/other.service")
            #expect(throws: ProcessError.self) { try connected.recheckUnit() }
            try await connected.recheck()
        }
    }
}
