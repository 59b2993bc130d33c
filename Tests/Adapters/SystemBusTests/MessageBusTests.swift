import Base
import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@testable import SystemBus

@Suite("The message bus", .timeLimit(.minutes(2)))
struct MessageBusTests {
    private static let name = "org.example.Mock"
    private static let method = "org.freedesktop.DBus.Mock.AddMethod"

    private func mocked() async throws -> (MockedBus, MessageBus) {
        let mocked = try await MockedBus([Self.name, "/", Self.name], name: Self.name)
        return (mocked, try #require(MessageBus(.system, environment: mocked.environment)))
    }

    private func call(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
        BusCall(Self.name, "/", Self.name, member, arguments)
    }

    private func code(_ bus: MessageBus, _ call: BusCall, timeout: Duration = .seconds(25)) async -> BusError.Code? {
        do throws(BusError) {
            _ = try await bus.call(call, timeout: timeout)
            return nil
        } catch { return error.code }
    }

    @Test("values of each type come back as they were sent")
    func values() async throws {
        let (mocked, bus) = try await mocked()
        let values: [BusValue] = [
            .byte(7), .boolean(true), .int32(-3), .uint32(4_000_000_000), .int64(.min), .uint64(.max), .double(1.5),
            .string("日本語 한국어 'x' \\n"), .objectPath("/a/b"), .strings([]), .strings(["a", ""]),
            .structure([.string("s"), .structure([.byte(1)])]), .variant(.int32(1)),
            .properties(["a": .string("b"), "c": .strings(["d"]), "e": .structure([.boolean(false), .double(0)])]),
            .dictionary(of: "s", ["k": "v"].mapValues { .string($0) }), .dictionary(of: "u", [:]),
            .array(of: "(sb)", [.structure([.string("x"), .boolean(true)])]), .array(of: "v", [.variant(.byte(2))]),
        ]
        for (number, value) in values.enumerated() {
            // What Python has of a variant inside of another value is only its content.
            let code = "ret = args[0]"
            try await mocked.call(
                Self.name, "/", Self.method, "", "Echo\(number)", value.signature, value.signature, code)
            let reply = try await bus.call(call("Echo\(number)", [value]))
            #expect(reply.values == [value])
            #expect(reply.sender.hasPrefix(":"))
        }
    }

    @Test("an answer with too much text or too many values is not read, and the next call works")
    func limits() async throws {
        let (mocked, bus) = try await mocked()
        for (member, signature, code) in [
            ("Long", "s", "ret = 'x' * 300000"), ("Many", "as", "ret = [''] * 10000"), ("Good", "s", "ret = 'good'"),
        ] { try await mocked.call(Self.name, "/", Self.method, "", member, "", signature, code) }
        #expect(await code(bus, call("Long")) == .unreadable)
        #expect(await code(bus, call("Many")) == .unreadable)
        #expect(try await bus.call(call("Good")).values == [.string("good")])
    }

    @Test("errors have codes: no service, no method, no answer in time, and a text that cannot be sent")
    func errors() async throws {
        let (mocked, bus) = try await mocked()
        try await mocked.call(Self.name, "/", Self.method, "", "Slow", "", "", "import time; time.sleep(3)")
        #expect(await code(bus, BusCall("org.example.Nobody", "/", "org.example.X", "Y")) == .noService)
        #expect(await code(bus, call("Unknown")) == .failed)
        #expect(await code(bus, call("Unknown", [.string("a\0b")])) == .invalid)
        #expect(await code(bus, BusCall("not a name", "/", "org.example.X", "Y")) == .invalid)
        #expect(await code(bus, call("Slow"), timeout: .milliseconds(50)) == .timedOut)
    }

    @Test("a cancelled call ends at once")
    func cancelled() async throws {
        let (mocked, bus) = try await mocked()
        try await mocked.call(Self.name, "/", Self.method, "", "Slow", "", "", "import time; time.sleep(30)")
        let calling = Task { await code(bus, call("Slow")) }
        calling.cancel()
        #expect(await calling.value == .cancelled)
    }

    @Test("signals of the rules come in order, and of no others")
    func signals() async throws {
        let (mocked, bus) = try await mocked()
        var events = bus.events([BusMatch(sender: Self.name, interface: Self.name, member: "Wanted")])
            .makeAsyncIterator()
        #expect(await events.next() == .connected)
        // Its rules are in force.
        #expect(await code(bus, call("Unknown")) == .failed)
        for (member, text) in [("Wanted", "1"), ("Other", "2"), ("Wanted", "3")] {
            try await mocked.call(
                Self.name, "/", "org.freedesktop.DBus.Mock.EmitSignal", Self.name, member, "s", "[<'\(text)'>]")
        }
        for text in ["1", "3"] {
            guard case .signal(let signal)? = await events.next() else {
                Issue.record("no signal")
                return
            }
            #expect(signal.values == [.string(text)])
            #expect(signal.member == "Wanted")
        }
    }

    @Test("when the bus ends, calls fail; when it is back, its readers are told and calls work")
    func reconnecting() async throws {
        let folder = try TemporaryFolder()
        let address = "unix:path=\(folder.path)/bus"
        let environment = ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address]
        let first = try await MockedBus.daemon(address, environment)
        let bus = try #require(MessageBus(.system, environment: environment))
        var events = bus.events([BusMatch(interface: Self.name)]).makeAsyncIterator()
        #expect(await events.next() == .connected)
        first.signal(SIGKILL)
        #expect(await events.next() == .disconnected)
        // sd-bus answers what was under way when a connection ends with NoReply.
        let lost = await code(bus, .ofBus("GetId"))
        #expect(lost == .disconnected || lost == .timedOut)
        unlink(folder.path + "/bus")
        let second = try await MockedBus.daemon(address, environment)
        #expect(await events.next() == .connected)
        #expect(await code(bus, .ofBus("GetId")) == nil)
        withExtendedLifetime(second) {}
    }

    @Test("a reader that stops reading is forgotten, and the connection goes on")
    func forgotten() async throws {
        let (mocked, bus) = try await mocked()
        for _ in 0..<20 {
            let reading = Task { for await _ in bus.events([BusMatch(interface: Self.name)]) {} }
            reading.cancel()
            await reading.value
        }
        #expect(await code(bus, .ofBus("GetId")) == nil)
        withExtendedLifetime(mocked) {}
    }

    @Test("only a Unix socket is a bus; without any there is none")
    func addresses() {
        for (address, expected) in [
            ("unix:path=/a;unix:path=/b", true), ("unixexec:path=/bin/sh", false), ("tcp:host=localhost,port=1", false),
            ("unix:path=/a;unixexec:path=/bin/sh", false),
        ] {
            #expect((BusKind.system.address(["DBUS_SYSTEM_BUS_ADDRESS": address]) != nil) == expected)
            #expect((BusKind.session.address(["DBUS_SESSION_BUS_ADDRESS": address]) != nil) == expected)
        }
        #expect(BusKind.session.address([:]) == nil)
        #expect(BusKind.session.address(["XDG_RUNTIME_DIR": "/nonexistent"]) == nil)
    }
}
