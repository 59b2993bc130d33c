import Authorization
import Base
import Foundation
import LinuxSystem
import ProgramSupport
import TestSupport
import Testing

@testable import SystemBus

@Suite("logind's sessions over the bus", .timeLimit(.minutes(2)))
struct LoginWatchTests {
    private static func watch(_ logind: MockedLogind, isExpected: Bool = false) throws -> LoginWatch {
        LoginWatch(try #require(MessageBus(.system, environment: logind.bus.environment))) { isExpected }
    }

    private static func absences(_ state: LoginState) -> Absences? {
        if case .known(let logins) = state { logins.absences } else { nil }
    }

    @Test("locking, switching and sleep make the users concerned absent, and no other")
    func changes() async throws {
        let logind = try await MockedLogind()
        let watch = try Self.watch(logind)
        let states = Recorder<LoginState>()
        let following = Task { await watch.follow { states.add($0) } }
        func next(_ expected: Absences, _ change: () async throws -> Void) async throws {
            try await change()
            await states.until { $0.last.flatMap(Self.absences) == expected }
        }
        try await next(Absences()) { try await logind.add("1", user: 1000) }
        try await next(Absences(users: [1001: .switched])) { try await logind.add("2", user: 1001, isActive: false) }
        try await next(Absences(users: [1000: .locked, 1001: .switched])) { try await logind.lock("1") }
        try await next(Absences(users: [1001: .switched])) { try await logind.lock("1", false) }
        try await next(Absences(users: [1000: .switched])) {
            try await logind.set("Active", "false", of: "1")
            try await logind.set("Active", "true", of: "2")
        }
        // A second session of a user, at this machine and in use.
        try await next(Absences()) { try await logind.add("3", user: 1000) }
        try await next(Absences(isAsleep: true)) { try await logind.prepareForSleep(true) }
        try await next(Absences()) { try await logind.prepareForSleep(false) }
        following.cancel()
        await following.value
    }

    @Test("a session over the network and the login screen's make nobody absent")
    func others() async throws {
        let logind = try await MockedLogind()
        let watch = try Self.watch(logind)
        try await logind.add("1", user: 1000)
        try await logind.set("Seat", "('', objectpath '/')", of: "1")
        try await logind.lock("1")
        try await logind.add("2", user: 110)
        try await logind.set("Class", "'greeter'", of: "2")
        try await logind.lock("2")
        guard case .known(let logins) = await watch.state() else {
            Issue.record("not known")
            return
        }
        #expect(logins.sessions.map(\.identifier) == ["1"])
        #expect(logins.absences == Absences())
    }

    @Test("a signal from another program changes nothing: the state is read from logind")
    func forged() async throws {
        let logind = try await MockedLogind()
        let watch = try Self.watch(logind)
        try await logind.add("1", user: 1000)
        try await logind.lock("1")
        let states = Recorder<LoginState>()
        let following = Task { await watch.follow { states.add($0) } }
        await states.until { !$0.isEmpty }
        let sender = try RunningProgram(
            [
                "/usr/bin/dbus-send", "--session", "--type=signal", "/org/freedesktop/login1/session/1",
                "org.freedesktop.DBus.Properties.PropertiesChanged", "string:org.freedesktop.login1.Session",
                "dict:string:boolean:LockedHint,false", "array:string:",
            ], environment: logind.bus.environment)
        _ = await sender.end()
        // Later than the forged one.
        try await logind.add("2", user: 1001)
        await states.until { states in
            guard case .known(let logins)? = states.last else { return false }
            return logins.sessions.count == 2
        }
        for state in states.values { #expect(Self.absences(state)?.users[1000] == .locked) }
        following.cancel()
    }

    @Test("a lock that could not be read is noticed without another signal")
    func readAgain() async throws {
        let logind = try await MockedLogind()
        let watch = try Self.watch(logind, isExpected: true)
        try await logind.add("1", user: 1000)
        let states = Recorder<LoginState>()
        let following = Task { await watch.follow { states.add($0) } }
        await states.until { $0.last.flatMap(Self.absences) == Absences() }
        try await logind.breakList(true)
        try await logind.lock("1")
        await states.until { $0.last == .unknown }
        try await logind.breakList(false)
        await states.until { $0.last.flatMap(Self.absences) == Absences(users: [1000: .locked]) }
        following.cancel()
    }

    @Test("more sessions over the network than are read take no session at this machine from the list")
    func many() async throws {
        let logind = try await MockedLogind()
        let watch = try Self.watch(logind, isExpected: true)
        try await logind.addRemote(257, user: 1001)
        try await logind.add("zz", user: 1000)
        try await logind.lock("zz")
        #expect(Self.absences(await watch.state()) == Absences(users: [1000: .locked]))
    }

    @Test("the machine's sleep is delayed until the descriptor is closed")
    func delay() async throws {
        let logind = try await MockedLogind()
        let watch = try Self.watch(logind)
        var delay = await watch.delaySleep(why: "Closing.")
        #expect(delay != nil)
        #expect(try await logind.inhibitors().contains("'sleep', 'VoiceGate', 'Closing.', 'delay'"))
        delay = nil
        try await eventually { try await !logind.inhibitors().contains("VoiceGate") }
    }

    @Test("without logind everything counts as in use, and if it does not answer nothing does")
    func absent() async throws {
        let bus = try await MockedBus()
        for isExpected in [true, false] {
            let expected = isExpected ? LoginState.unknown : .withoutLogind
            #expect(await LoginWatch(nil) { isExpected }.state() == expected)
            let bus = try #require(MessageBus(.system, environment: bus.environment))
            #expect(await LoginWatch(bus) { isExpected }.state() == expected)
            let dead = MessageBus(.system, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
            #expect(await LoginWatch(dead) { isExpected }.state() == expected)
        }
    }

    @Test("a screen saver of the user's session bus is read when it says that it has changed")
    func screenSaver() async throws {
        let mocked = try await MockedBus(["--template", "gnome_screensaver"], name: "org.gnome.ScreenSaver")
        let watch = ScreenSaverWatch(try #require(MessageBus(.session, environment: mocked.environment)))
        let changes = Recorder<Bool>()
        let following = Task { await watch.follow { changes.add($0) } }
        let name = "org.gnome.ScreenSaver"
        // It may not follow yet; a state that is read at the beginning counts, too.
        try await mocked.call(name, "/org/gnome/ScreenSaver", name + ".SetActive", "true")
        await changes.until { $0 == [true] }
        try await mocked.call(name, "/org/gnome/ScreenSaver", name + ".SetActive", "false")
        await changes.until { $0 == [true, false] }
        following.cancel()
    }
}
