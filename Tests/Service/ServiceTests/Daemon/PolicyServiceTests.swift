import Authorization
import Base
import Consent
import Foundation
import LinuxSystem
import Logging
import PolicyFiles
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import PermissionRoutes

/// The clock and the waiting are set by the test: hours are whole minutes apart, and the test does not wait for those.
@Suite("The hours of a policy apply to running sessions", .timeLimit(.minutes(1)))
struct PolicyServiceTests {
    private final class Clock: Sendable {
        struct Wait { let duration: Duration; let wake: CheckedContinuation<Void, Never> }

        let now: Mutex<Date>
        let timeZone = Mutex(TimeZone.gmt)
        let waits: AsyncStream<Wait>
        private let begun: AsyncStream<Wait>.Continuation

        init(_ text: String) throws {
            now = Mutex(try Date(text, strategy: .iso8601))
            (waits, begun) = AsyncStream.makeStream()
        }

        func sleep(_ duration: Duration) async throws {
            await withCheckedContinuation { begun.yield(Wait(duration: duration, wake: $0)) }
            try Task.checkCancellation()
        }
    }

    private let folder: TemporaryFolder
    private let clock: Clock
    private let requester = Samples.requester()

    init() throws {
        folder = try TemporaryFolder()
        clock = try Clock("2026-01-12T21:58:30Z")
    }

    private func service(_ hours: String) async throws -> (
        PolicyService, Gate, AsyncStream<PolicySnapshot>.Continuation
    ) {
        try folder.write("deny: [{resource: all, hours: '\(hours)'}]\n", to: "policy.d/night.yaml")
        let clock = clock
        let directory = PolicyDirectory(
            folder: folder.path + "/policy.d", timeZone: { clock.timeZone.withLock { $0 } })
        let initial = directory.read()
        let log = try await ConsentLog.open(storage: try SQLiteStorage(directory: folder.path + "/state"))
        var configuration = GateConfiguration()
        configuration.now = { Moment(boot: "", sinceBoot: 0, wall: Moment(wallAlone: clock.now.withLock { $0 }).wall) }
        let gate = try await Gate(
            ledger: log, agent: StandInAgent { _ in .whileInUse }, policy: initial.policy, configuration: configuration)
        let (snapshots, continuation) = AsyncStream.makeStream(of: PolicySnapshot.self)
        var service = PolicyService(
            snapshots: snapshots, initial: initial, log: log, gate: gate,
            problems: ProblemBoard(clients: try .ofCommandLine()),
            logger: Logger(label: "test"))
        service.clocks = PolicyService.Clocks(
            now: { clock.now.withLock { $0 } }, timeZone: { clock.timeZone.withLock { $0 } },
            sleep: { try await clock.sleep($0) })
        await service.begin()
        return (service, gate, continuation)
    }

    @Test("a running session ends when the hours begin, and the grant applies again when they end")
    func boundary() async throws {
        let (service, gate, snapshots) = try await service("22:00-22:01")
        let running = Task { try await service.run() }
        _ = await gate.request(.microphone, for: requester)
        let lease = try await lease(gate)
        var waits = clock.waits.makeAsyncIterator()
        // A minute at most, so that a clock that is set is noticed.
        let first = try #require(await waits.next())
        #expect(first.duration == .seconds(60))
        clock.now.withLock { $0 += 60 }
        first.wake.resume()
        let second = try #require(await waits.next())
        #expect(second.duration == .seconds(30))
        #expect(lease.isLive)
        clock.now.withLock { $0 += 30 }
        second.wake.resume()
        let third = try #require(await waits.next())
        #expect(lease.ending == .restricted)
        #expect(await gate.status(of: .microphone, for: requester) == .restricted)
        clock.now.withLock { $0 += 60 }
        let before = gate.history.last(ofUser: 1000).revision
        third.wake.resume()
        let fourth = try #require(await waits.next())
        #expect(await gate.status(of: .microphone, for: requester) == .authorized)
        #expect(gate.history.last(ofUser: 1000).revision == before + 1)
        // Nothing changes until tomorrow: no client is notified.
        fourth.wake.resume()
        let fifth = try #require(await waits.next())
        #expect(gate.history.last(ofUser: 1000).revision == before + 1)
        snapshots.finish()
        fifth.wake.resume()
        try await running.value
    }

    @Test("a changed time zone changes the hours, and is recorded")
    func timeZone() async throws {
        let (service, gate, snapshots) = try await service("22:00-23:59")
        let running = Task { try await service.run() }
        var waits = clock.waits.makeAsyncIterator()
        let first = try #require(await waits.next())
        _ = await gate.request(.microphone, for: requester)
        let lease = try await lease(gate)
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        clock.timeZone.withLock { $0 = berlin }
        first.wake.resume()
        let second = try #require(await waits.next())
        #expect(lease.ending == .restricted)
        let record = try await service.log.lastRecord(of: .policyChanged)
        #expect(record?.fields["timeZone"] == .string("Europe/Berlin"))
        snapshots.finish()
        second.wake.resume()
        try await running.value
    }

    /// A grant cannot be kept; its lease can.
    private func lease(_ gate: Gate) async throws -> Lease {
        let grant = try await gate.microphoneGrant(for: requester)
        return grant.lease
    }
}
