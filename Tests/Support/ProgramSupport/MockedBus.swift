import Foundation
import TestSupport

/// A separate bus with services of python-dbusmock on it; both end with it.
public final class MockedBus: Sendable {
    /// What makes it a program's system bus and session bus.
    public let environment: [String: String]
    public let address: String
    private let folder: TemporaryFolder
    private let programs: [RunningProgram]

    /// - Parameters:
    ///   - arguments: dbusmock's; empty: no service.
    ///   - name: the name of the service on the bus.
    public init(_ arguments: [String] = [], name: String = "") async throws {
        folder = try TemporaryFolder()
        let address = "unix:path=\(folder.path)/bus"
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": address,
            "DBUS_SESSION_BUS_ADDRESS": address,
        ]
        (self.address, self.environment) = (address, environment)
        var programs = [try await Self.daemon(address, environment)]
        if !arguments.isEmpty {
            programs.append(
                try RunningProgram(
                    ["/usr/bin/python3", "-m", "dbusmock", "--session"] + arguments, environment: environment))
            let waiting = try RunningProgram(
                ["/usr/bin/gdbus", "wait", "--session", "--timeout", "60", name], environment: environment)
            guard await waiting.end() == 0 else {
                throw RunningProgram.Ended(output: programs[1].lines, errors: programs[1].errorText)
            }
        }
        self.programs = programs
    }

    /// A daemon alone.
    public static func daemon(_ address: String, _ environment: [String: String]) async throws -> RunningProgram {
        let daemon = try RunningProgram(
            ["/usr/bin/dbus-daemon", "--session", "--nofork", "--print-address=1", "--address=\(address)"],
            environment: environment)
        try await daemon.line { $0.hasPrefix("unix:") }
        return daemon
    }

    /// The service ends; the bus stays.
    public func endService() { programs.last?.signal(SIGKILL) }

    /// gdbus(1) calls a method.
    ///
    /// - Returns: what it prints.
    @discardableResult
    public func call(_ service: String, _ path: String, _ method: String, _ arguments: String...) async throws -> String
    {
        let program = try RunningProgram(
            ["/usr/bin/gdbus", "call", "--session", "--dest", service, "--object-path", path, "--method", method]
                + arguments, environment: environment)
        guard await program.end() == 0 else {
            throw RunningProgram.Ended(output: program.lines, errors: program.errorText)
        }
        return program.lines.joined(separator: "\n")
    }
}

/// logind by python-dbusmock: this machine's cannot be locked and does not sleep.
public struct MockedLogind: Sendable {
    public static let service = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let mock = "org.freedesktop.DBus.Mock."

    public let bus: MockedBus

    public init() async throws { bus = try await MockedBus(["--template", "logind"], name: Self.service) }

    /// At this machine's seat.
    public func add(_ session: String, user: UInt32, isActive: Bool = true) async throws {
        try await bus.call(
            Self.service, Self.path, Self.mock + "AddSession", session, "seat0", "\(user)", "user\(user)",
            "\(isActive)")
    }

    /// In use, of a user over the network.
    public func addRemote(_ count: Int, user: UInt32) async throws {
        let properties = """
            {"Id": "r%d" % i, "Class": "user", "Active": True, "LockedHint": False, "Name": "", "Type": "tty", \
            "Seat": ("", dbus.ObjectPath("/")), "User": (dbus.UInt32(\(user)), dbus.ObjectPath("/"))}
            """
        let code = """
            for i in range(\(count)): self.AddObject("\(Self.path)/session/r%d" % i, "\(Self.service).Session", \
            \(properties), [])
            """
        try await bus.call(Self.service, Self.path, Self.mock + "AddMethod", Self.service, "AddMany", "", "", code)
        try await bus.call(Self.service, Self.path, Self.service + ".AddMany")
    }

    /// Without a signal: the list of sessions cannot be read, or can again.
    public func breakList(_ isBroken: Bool) async throws {
        let session = Self.path + "/session/broken"
        if isBroken {
            try await bus.call(
                Self.service, Self.path, Self.mock + "AddObject", session, Self.service + ".Session", "@a{sv} {}",
                "@a(ssss) []")
        } else {
            try await bus.call(Self.service, Self.path, Self.mock + "RemoveObject", session)
        }
    }

    public func set(_ property: String, _ value: String, of session: String) async throws {
        try await bus.call(
            Self.service, Self.path + "/session/" + session, "org.freedesktop.DBus.Properties.Set",
            "org.freedesktop.login1.Session", property, "<\(value)>")
    }

    public func lock(_ session: String, _ isLocked: Bool = true) async throws {
        try await set("LockedHint", "\(isLocked)", of: session)
    }

    public func prepareForSleep(_ begins: Bool) async throws {
        let manager = "org.freedesktop.login1.Manager"
        try await bus.call(
            Self.service, Self.path, Self.mock + "UpdateProperties", manager, "{'PreparingForSleep': <\(begins)>}")
        try await bus.call(
            Self.service, Self.path, Self.mock + "EmitSignal", manager, "PrepareForSleep", "b", "[<\(begins)>]")
    }

    /// What delays the sleep.
    public func inhibitors() async throws -> String {
        try await bus.call(Self.service, Self.path, "org.freedesktop.login1.Manager.ListInhibitors")
    }
}
