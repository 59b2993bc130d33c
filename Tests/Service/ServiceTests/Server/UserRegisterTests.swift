import Authorization
import Base
import Consent
import Foundation
import Glibc
import Retention
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import Server

@Suite("Users whose number is given to another", .timeLimit(.minutes(1)))
struct UserRegisterTests {
    /// The users of a machine, and what a register made of them.
    private final class Machine: Sendable {
        let names = Mutex<[UInt32: String]>([:])
        let forgotten = Mutex<[UInt32]>([])
        let lookups = Mutex(0)
        let fails = Mutex(false)
    }

    private let folder: TemporaryFolder
    private let machine = Machine()

    init() throws {
        folder = try TemporaryFolder()
        try set([1000: "alice"])
    }

    private func set(_ names: [UInt32: String]) throws {
        machine.names.withLock { $0 = names }
        try folder.write("\(names)", to: "passwd.new")
        rename(folder.path + "/passwd.new", folder.path + "/passwd")
    }

    private func register() throws -> UserRegister {
        try UserRegister(
            path: folder.path + "/users.json",
            nameOf: { [machine] user in
                machine.lookups.withLock { $0 += 1 }
                return machine.names.withLock { $0[user] }
            }, usersFile: folder.path + "/passwd",
            forget: { [machine] user in
                if machine.fails.withLock({ $0 }) { throw CocoaError(.fileWriteUnknown) }
                machine.forgotten.withLock { $0.append(user) }
            })
    }

    private var forgotten: [UInt32] { machine.forgotten.withLock { $0 } }

    @Test("a number with another name begins again, once, also across a restart; the same name goes on")
    func reused() async throws {
        let first = try register()
        try await first.check(1000)
        let second = try register()
        try await second.check(1000)
        #expect(forgotten.isEmpty)
        try set([1000: "bob"])
        try await second.check(1000)
        try await second.check(1000)
        #expect(forgotten == [1000])
        try await register().check(1000)
        #expect(forgotten == [1000])
    }

    @Test("a name is looked up again only when the list of users has changed")
    func lookups() async throws {
        let register = try register()
        for _ in 0..<5 { try await register.check(1000) }
        #expect(machine.lookups.withLock { $0 } == 1)
        try set([1000: "alice", 1001: "carol"])
        for _ in 0..<5 { try await register.check(1000) }
        #expect(machine.lookups.withLock { $0 } == 2)
    }

    @Test("nobody is answered before the earlier user is forgotten; a failure is tried again")
    func failing() async throws {
        let register = try register()
        try await register.check(1000)
        try set([1000: "bob"])
        machine.fails.withLock { $0 = true }
        await #expect(throws: (any Error).self) { try await register.check(1000) }
        await #expect(throws: (any Error).self) { try await register.check(1000) }
        machine.fails.withLock { $0 = false }
        try await register.check(1000)
        #expect(forgotten == [1000])
    }

    @Test("a number whose name is not found is not forgotten, and is looked up until it is")
    func unknown() async throws {
        let register = try register()
        try await register.check(1000)
        try set([:])
        for _ in 0..<2 { try await register.check(1000) }
        #expect(machine.lookups.withLock { $0 } == 3)
        #expect(forgotten.isEmpty)
        // Without a name from the beginning, as of a container.
        for _ in 0..<2 { try await register.check(5000) }
        #expect(machine.lookups.withLock { $0 } == 4)
    }

    @Test("a removed user is forgotten by name, and the next one with the number and the name is new")
    func byName() async throws {
        let register = try register()
        try await register.check(1000)
        try set([:])
        let number = try #require(await register.number(of: "alice"))
        #expect(number == 1000)
        try await register.forgetNow(number)
        #expect(await register.number(of: "alice") == nil)
        try set([1000: "alice"])
        try await register.check(1000)
        #expect(forgotten == [1000])
    }

    @Test("a register that cannot be read is not replaced")
    func unreadable() throws {
        try folder.write("{\"1000\":", to: "users.json")
        #expect(throws: (any Error).self) { try register() }
    }

    @Test("what is forgotten: the decisions, mutes, records' fields and manifests of that user, and no other's")
    func erased() async throws {
        let state = try await StateFixture()
        let (folder, log) = (state.folder, state.log)
        let gate = try await Gate(ledger: log, agent: StandInAgent { _ in .whileInUse })
        let (alice, bob) = (Samples.requester(user: 1000), Samples.requester(user: 1001))
        for requester in [alice, bob] {
            #expect(await gate.checkAndRequest(for: requester).status == .authorized)
            try folder.write("", to: "clients/\(requester.caller.user)/x/Info.plist")
        }
        try await gate.mute(.user(1000), by: alice.caller)
        try await gate.mute(.everyone, by: alice.caller)
        try await gate.mute(.user(1001), by: bob.caller)
        let erasure = UserErasure(
            gate: gate, erasure: try state.erasure(), clientsFolder: folder.path + "/clients")
        try await erasure.forget(1000, by: Samples.requester(user: 0).caller)
        #expect(await gate.decisions(ofUser: 1000).isEmpty)
        #expect(await gate.status(of: .microphone, for: alice) == .notDetermined)
        let mutes = await gate.mutes
        #expect(mutes.covering(1000) == nil && mutes.covering(1001)?.user == 1001)
        #expect(try await log.mutes().covering(1000) == nil)
        try await gate.unmute(.user(1001), by: bob.caller)
        #expect(await gate.status(of: .microphone, for: bob) == .authorized)
        func kinds(_ user: UInt32) async throws -> Set<RecordKind> {
            Set(try await log.records(matching: AuditFilter(subject: "\(user)")).map(\.kind))
        }
        let forgotten: [RecordKind] = [.granted, .noticeShown, .withdrawn, .muted, .unmuted]
        #expect(try await kinds(1000).isDisjoint(with: forgotten))
        #expect(try await kinds(1001).isSuperset(of: [.granted, .noticeShown]))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/clients/1000"))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/clients/1001"))
    }
}
