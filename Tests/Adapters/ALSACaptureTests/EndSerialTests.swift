import Foundation
import Speech
import TestSupport
import Testing

@testable import ALSACapture
@testable import Authorization

@Suite("The end of a capture", .timeLimit(.minutes(1)))
struct EndSerialTests {
    @Test("stop closes the device; no frame follows, not even a queued one")
    func stop() async throws {
        let bench = try Bench()
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 3_200 }
        #expect(bench.log.count(.close) == 0)
        await stream.stop()
        #expect(bench.log.count(.close) == 1)
        let rest = await stream.hear()
        #expect(rest.isEnded)
        #expect(rest.runs.isEmpty)
        #expect(rest.events.isEmpty)
        await stream.stop()
    }

    @Test(
        "a real-time device is closed within 200 ms of the stop, and of the permission's end", arguments: [false, true])
    func promptly(byLease: Bool) async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 1_600 }
        let asked = CaptureClock.read().awake
        if byLease { bench.lease.end(.revoked) } else { await stream.stop() }
        _ = await stream.hear()
        let closed = try #require(bench.log.entries.last { $0.event == .close })
        #expect(Int64(closed.nanoseconds) - asked < 200_000_000)
    }

    @Test("finish closes the device and delivers every frame that it has captured until then")
    func finish() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let stream = try await bench.open()
        let before = await stream.hear { $0.frameCount >= 1_600 }
        let end = await stream.finish()
        let closed = try #require(bench.log.entries.last { $0.event == .close })
        let rest = await stream.hear()
        #expect(rest.isEnded && rest.events.isEmpty)
        #expect(before.frameCount + rest.frameCount == closed.number)
        #expect(end == CaptureEnd(captured: Int64(closed.number), isClosed: true))
    }

    @Test("a permission that ends after finish, before the frames were read, drops them")
    func leaseEndsAfterFinish() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 1_600 }
        await stream.finish()
        bench.lease.end(.revoked)
        #expect(await stream.hear().runs.isEmpty)
    }

    @Test(
        "a device that does not close is held: the stream ends in time, and the device is refused until it has closed",
        arguments: [false, true])
    func hangs(finishing: Bool) async throws {
        var bench = try Bench()
        bench.timing.closing = 50
        bench.microphone.closeHangsFile = bench.path("hangs")
        try bench.touch("hangs")
        let (states, queue) = AsyncStream.makeStream(of: Set<String>.self)
        let source = bench.source(held: HeldDevices { queue.yield($0) })
        try bench.microphone.declare()
        let (name, lease) = (bench.microphone.name, bench.lease)
        let stream = try await source.open(device: name, onLoss: .end, grant: MicrophoneGrant(lease: lease))
        _ = await stream.hear { $0.frameCount >= 1_600 }
        let end = finishing ? await stream.finish() : await stream.stop()
        #expect(!end.isClosed && end.captured >= 1_600)
        _ = await stream.hear()
        #expect(bench.log.count(.close) == 0)
        let refusal = await #expect(throws: CaptureError.self) {
            _ = try await source.open(device: name, onLoss: .end, grant: MicrophoneGrant(lease: lease))
        }
        #expect(refusal?.code == .deviceHeld)
        #expect(bench.log.count(.open) == 1, "it was opened a second time")
        try bench.remove("hangs")
        #expect(await states.first { _ in true } == [name])
        #expect(await states.first { _ in true } == [])
        #expect(bench.log.count(.close) == 1)
        let again = try await source.open(device: name, onLoss: .end, grant: MicrophoneGrant(lease: lease))
        #expect(await again.stop().isClosed)
    }

    @Test("when the permission ends, no frame follows, the device is closed, and the reason is reported")
    func leaseEnds() async throws {
        let bench = try Bench()
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 3_200 }
        bench.lease.end(.revoked)
        let rest = await stream.hear()
        #expect(rest.runs.isEmpty)
        #expect(rest.events.count == 1)
        #expect(rest.failure?.code == .permissionEnded)
        #expect(bench.log.count(.close) == 1)
    }

    @Test("a permission that ends while the device delivers nothing closes it, too")
    func leaseEndsInStall() async throws {
        var bench = try Bench()
        bench.microphone.faults = [.stall: 1_600]
        bench.timing.watchdog = 50_000
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 1_600 }
        bench.lease.end(.restricted)
        let rest = await stream.hear()
        #expect(rest.failure?.code == .permissionEnded)
        #expect(bench.log.count(.close) == 1)
    }

    @Test("a permission that has ended opens nothing")
    func endedBefore() async throws {
        let bench = try Bench()
        bench.lease.end(.revoked)
        #expect(try await bench.refusal()?.code == .permissionEnded)
        #expect(bench.log.entries.isEmpty)
    }

    @Test("the end of a permission ends the wait for a lost device")
    func leaseEndsWhileAway() async throws {
        var bench = try Bench()
        bench.timing.firstBackOff = 30_000
        bench.timing.longestBackOff = 30_000
        bench.microphone.unpluggedFile = bench.path("unplugged")
        let stream = try await bench.open(onLoss: .wait)
        try bench.touch("unplugged")
        _ = await stream.hear { $0.events.contains { if case .deviceLost = $0 { true } else { false } } }
        bench.lease.end(.revoked)
        #expect(await stream.hear().failure?.code == .permissionEnded)
    }

    @Test("cancelling the reader closes the device")
    func cancelled() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let stream = try await bench.open()
        let reader = Task { await stream.hear() }
        reader.cancel()
        let heard = await reader.value
        #expect(heard.failure == nil)
        await stream.stop()
        #expect(bench.log.count(.close) == 1)
    }

    @Test("two devices are open at once, and stopping one leaves the other")
    func two() async throws {
        let first = try Bench(), second = try Bench(file: HumanSpeech.librivox)
        let one = try await first.open(), other = try await second.open()
        _ = await one.hear { $0.frameCount >= 1_600 }
        await one.stop()
        let heard = await other.hear { $0.frameCount >= 40_000 }
        #expect(heard.frameCount >= 40_000)
        #expect(heard.failure == nil)
        await other.stop()
    }
}
