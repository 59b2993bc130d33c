import Authorization
import Foundation
import TestSupport
import Testing

@testable import LinuxSystem

/// With logind's sessions and the kernel's files made by the test: no session manager can be put into these states here.
@Suite("Presence in a session")
struct SessionPresenceTests {
    private let folder: TemporaryFolder
    private let logins = LoginBook()
    private let inspector: PresenceInspector

    init() throws {
        folder = try TemporaryFolder()
        inspector = PresenceInspector(proc: folder.path + "/proc", logins: logins, groups: folder.path + "/groups")
    }

    private func presence(_ process: Int32 = 42) -> Presence {
        inspector.presence(of: ProcessIdentity(processIdentifier: process, startTime: 900), user: 1000)
    }

    /// - Parameter terminal: whether it is the foreground job of one.
    private func process(
        _ number: Int = 42, group: String, terminal: Bool = false, parent: Int = 1, start: Int = 900,
        state: String = "S"
    ) throws {
        let terminal = terminal ? "34816 \(number)" : "0 -1"
        try folder.write(
            "\(number) (x) \(state) \(parent) \(number) 40 \(terminal) 0 1 0 0 0 0 0 0 0 20 0 1 0 \(start) 1 2 3\n",
            to: "proc/\(number)/stat")
        try folder.write("0::\(group)\n", to: "proc/\(number)/cgroup")
    }

    /// logind has this session, and no other.
    private func session(
        _ name: String = "2", user: UInt32 = 1000, seat: String = "seat0", type: String = "wayland",
        isActive: Bool = true, isLocked: Bool = false
    ) {
        let session = LoginSession(
            identifier: name, user: user, seat: seat, type: type, isActive: isActive, isLocked: isLocked)
        logins.state = .known(LoginSessions([session]))
    }

    private static let scope = "/user.slice/user-1000.slice/session-2.scope"
    private static let manager = "/user.slice/user-1000.slice/user@1000.service"
    private static let application = manager + "/app.slice/app-gnome-org.example.Editor-42.scope"

    @Test(
        "the foreground job of a session counts while the session is active and not locked",
        arguments: [
            (true, false, Presence.foreground), (true, true, .background), (false, false, .background),
            (false, true, .background),
        ])
    func session(_ isActive: Bool, _ isLocked: Bool, _ expected: Presence) throws {
        try process(group: Self.scope, terminal: true)
        session(type: "tty", isActive: isActive, isLocked: isLocked)
        #expect(presence() == expected)
    }

    private func isAtActiveSeat(user: UInt32 = 1000) -> Bool {
        inspector.isAtActiveSeat(ProcessIdentity(processIdentifier: 42, startTime: 900), user: user)
    }

    @Test(
        "a process is at the machine's active seat if its session is active, not locked, and has a seat",
        arguments: [
            ("seat0", true, false, true), ("seat0", false, false, false), ("seat0", true, true, false),
            ("", true, false, false),
        ])
    func seat(_ seat: String, _ isActive: Bool, _ isLocked: Bool, _ expected: Bool) throws {
        try process(group: Self.scope, terminal: true)
        #expect(!isAtActiveSeat(), "without logind there are no seats")
        session(seat: seat, isActive: isActive, isLocked: isLocked)
        #expect(isAtActiveSeat() == expected)
    }

    @Test(
        "a process of the user's manager is at the seat if the user has an active session there, and no other user's is"
    )
    func seatOfManager() throws {
        try process(group: Self.application, terminal: false)
        session(user: 1001)
        #expect(!isAtActiveSeat())
        session()
        #expect(isAtActiveSeat())
        #expect(!isAtActiveSeat(user: 1001))
        session(seat: "")
        #expect(!isAtActiveSeat())
    }

    @Test("a session that logind does not know is in the background; without logind the terminal decides")
    func unknownSession() throws {
        try process(group: Self.scope, terminal: true)
        #expect(presence() == .foreground)
        session("3")
        #expect(presence() == .background)
    }

    @Test("while logind does not answer, each login is in the background; what is in none is not concerned")
    func unknownState() throws {
        try process(group: Self.scope, terminal: true)
        logins.state = .unknown
        #expect(presence() == .background)
        #expect(!isAtActiveSeat())
        try process(group: Self.application)
        #expect(presence() == .background)
        try process(group: "/", terminal: true)
        #expect(presence() == .foreground)
    }

    @Test("a control group's name is a session's only if it can be one", arguments: ["../users/1000", "", "a b", "é"])
    func nameOfSession(_ name: String) throws {
        try process(group: "/user.slice/session-\(name).scope", terminal: true)
        let group = try #require(ControlGroup(of: 42, root: folder.path + "/proc"))
        #expect(group.loginSession == nil)
    }

    @Test("a terminal window's job counts while its user has an active session")
    func terminalWindow() throws {
        try process(group: Self.manager + "/app.slice/app-org.gnome.Terminal.slice/vte-spawn-1.scope", terminal: true)
        session(user: 1001)
        #expect(presence() == .background)
        session()
        #expect(presence() == .foreground)
        session(isActive: false)
        #expect(presence() == .background)
        session(isLocked: true)
        #expect(presence() == .background)
    }

    @Test(
        "a desktop application counts while the user's desktop is active",
        arguments: [
            ("wayland", true, Presence.foreground), ("x11", true, .foreground), ("mir", true, .foreground),
            ("tty", true, .background), ("wayland", false, .background), ("", true, .background),
        ])
    func desktop(_ type: String, _ isActive: Bool, _ expected: Presence) throws {
        try process(group: Self.application)
        #expect(presence() == .background)
        session(type: type, isActive: isActive)
        #expect(presence() == expected)
        session(type: type, isActive: isActive, isLocked: true)
        #expect(presence() == .background)
    }

    @Test(
        "a process outside of the user's desktop applications is in the background",
        arguments: [
            manager + "/app.slice/dbus-org.example.Daemon.service", manager + "/session.slice/app-x-42.scope",
            manager + "/app.slice/app-org.example.Editor@autostart.service", manager + "/app.slice",
            "/user.slice/user-1001.slice/user@1001.service/app.slice/app-x-42.scope",
            "/system.slice/app.slice/app-x-42.scope", "/system.slice/cron.service", scope, "/",
        ])
    func noApplication(_ group: String) throws {
        try process(group: group)
        session()
        #expect(presence() == .background)
    }

    @Test("an application's own children are in the foreground, and processes detached in its terminal windows are not")
    func detachedInTerminalWindow() throws {
        session()
        let group = Self.manager + "/app.slice/app-kitty-10.scope"
        try process(10, group: group, start: 100)
        try process(42, group: group, parent: 10)
        #expect(presence() == .foreground)
        // By way of a shell that has a terminal, by way of another group, and left behind by parents that have ended.
        try process(11, group: group, terminal: true, parent: 10, start: 200)
        try process(42, group: group, parent: 11)
        #expect(presence() == .background)
        try process(12, group: Self.scope, parent: 10, start: 200)
        try process(42, group: group, parent: 12)
        #expect(presence() == .background)
        try process(42, group: group, parent: 1)
        #expect(presence() == .background)
        // A parent that is younger than its child got its identifier later.
        try process(10, group: group, start: 901)
        try process(42, group: group, parent: 10)
        #expect(presence() == .background)
    }

    @Test("the first process of an application's service is its oldest")
    func service() throws {
        session()
        let group = Self.manager + "/app.slice/app-org.example.Editor@0123.service"
        try process(42, group: group)
        #expect(presence() == .background)
        try folder.write("42\n43\n", to: "groups" + group + "/cgroup.procs")
        try process(43, group: group, start: 901)
        #expect(presence() == .foreground)
        try process(43, group: group, start: 899)
        #expect(presence() == .background)
        try folder.write((1...300).map { "\($0)\n" }.joined(), to: "groups" + group + "/cgroup.procs")
        #expect(presence() == .background)
    }

    @Test("a stopped application is in the background", arguments: ["T", "t", "Z"])
    func stopped(_ state: String) throws {
        session()
        try process(group: Self.application, state: state)
        #expect(presence() == .background)
    }

    @Test("systemd's own hierarchy determines the group if there are several")
    func hierarchies() {
        let text = "12:pids:/other\n1:name=systemd:/user.slice/session-2.scope\n0::/unified\n"
        #expect(ControlGroup(parsing: text)?.loginSession == "2")
        #expect(ControlGroup(parsing: "0::/a:b\n")?.path == "/a:b")
        for text in ["", "0::", "12:pids:/x\n", "nothing"] { #expect(ControlGroup(parsing: text) == nil) }
    }
}
