import Foundation
import Glibc
import Speech
import Synchronization
import TestSupport
import Testing

@testable import ALSACapture

@Suite("Faults of a device", .timeLimit(.minutes(1)))
struct FaultTests {
    @Test("an overrun is reported with its lost frames, and capturing continues")
    func overrun() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        bench.microphone.faults = [.overrun: 8_000]
        bench.microphone.overrunFrames = 1_600
        let stream = try await bench.open()
        let heard = await stream.hear { $0.frameCount >= 16_000 }
        await stream.stop()
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        let lost = try #require(heard.lostFrames.first)
        // Counted by the clock since the last read, which a busy machine makes late.
        #expect(lost > 0)
        #expect(Array(heard.samples.prefix(8_000)) == Array(expected.prefix(8_000)))
        let next = try #require(heard.runs.first { $0.position >= 8_000 })
        #expect(next.position == 8_000 + lost)
        #expect(bench.log.count(.open) == 1)
    }

    @Test("a reader that comes a second late, as on a busy machine, loses nothing")
    func late() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let readings = Atomic(0)
        // Called by the reading thread once the device runs.
        bench.timing.clock = {
            if readings.add(1, ordering: .relaxed).newValue == 1 { usleep(1_000_000) }
            return CaptureClock.read()
        }
        let stream = try await bench.open()
        let heard = await stream.hear { $0.frameCount >= 24_000 }
        await stream.stop()
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        #expect(heard.lostFrames.isEmpty)
        #expect(Array(heard.samples.prefix(24_000)) == Array(expected.prefix(24_000)))
    }

    @Test("capturing recovers from a suspend without a missing frame")
    func suspend() async throws {
        var bench = try Bench()
        bench.microphone.faults = [.suspend: 8_000]
        let stream = try await bench.open()
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        let heard = await stream.hear { $0.frameCount >= expected.count }
        await stream.stop()
        #expect(Array(heard.samples.prefix(expected.count)) == expected)
        // Not a loss because the machine was busy.
        #expect(heard.lostFrames.isEmpty)
        #expect(heard.events.contains { if case .asleep = $0 { true } else { false } })
        #expect(heard.failure == nil)
    }

    @Test("time in which the machine slept is not a loss of frames, and the positions go on after it")
    func slept() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let hasSlept = Mutex(false)
        bench.timing.clock = {
            let now = CaptureClock.read()
            let hour: Int64 = hasSlept.withLock { $0 } ? 3_600_000_000_000 : 0
            return CaptureClock.Reading(awake: now.awake, asleep: now.asleep + hour)
        }
        let stream = try await bench.open()
        let before = await stream.hear { $0.frameCount >= 1_600 }
        hasSlept.withLock { $0 = true }
        let after = await stream.hear { heard in heard.events.contains { if case .asleep = $0 { true } else { false } }
        }
        let later = await stream.hear { $0.frameCount >= 320 }
        await stream.stop()
        #expect(before.events.isEmpty)
        #expect(after.events.filter { if case .asleep = $0 { true } else { false } } == [.asleep(frames: 57_600_000)])
        #expect((later.runs.first?.position ?? 0) >= 57_600_000 + Int64(before.frameCount))
        #expect(after.lostFrames.allSatisfy { $0 < 57_600_000 })
    }

    @Test(
        "after an input/output error the device is opened again and capturing continues",
        arguments: [VirtualMicrophone.Fault.eio, .stall, .dead])
    func reopened(fault: VirtualMicrophone.Fault) async throws {
        var bench = try Bench()
        bench.timing.watchdog = 200
        bench.microphone.faults = [fault: 8_000]
        bench.microphone.faultsOnceFile = bench.path("happened")
        let stream = try await bench.open()
        let heard = await stream.hear { $0.frameCount >= 20_000 }
        await stream.stop()
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        #expect(Array(heard.samples.prefix(16_000)) == Array(expected.prefix(8_000)) + Array(expected.prefix(8_000)))
        #expect(!heard.lostFrames.isEmpty)
        #expect(heard.failure == nil)
        #expect(bench.log.count(.open) == 2)
        #expect(bench.log.count(.close) == 2)
    }

    @Test(
        "a device that always fails is given up after a bounded number of attempts",
        arguments: [(VirtualMicrophone.Fault.eio, 0), (.eio, 4_000), (.stall, 4_000), (.dead, 0), (.dead, 4_000)])
    func dead(fault: VirtualMicrophone.Fault, frame: Int) async throws {
        var bench = try Bench()
        bench.timing.watchdog = 100
        bench.microphone.faults = [fault: frame]
        let stream = try await bench.open()
        let heard = await stream.hear()
        #expect(heard.failure?.code == .inputOutput)
        #expect(heard.frameCount == frame * 4)
        #expect(bench.log.count(.open) == 4)
        #expect(bench.log.count(.close) == 4)
    }

    @Test("a lost device is reported once and opened again with back-off until the stop")
    func deadAwaited() async throws {
        var bench = try Bench()
        bench.microphone.faults = [.eio: 0]
        let stream = try await bench.open(onLoss: .wait)
        let heard = await stream.hear { $0.events.contains { if case .deviceLost = $0 { true } else { false } } }
        await stream.stop()
        #expect(heard.failure == nil)
        #expect(bench.log.count(.open) == bench.log.count(.close))
    }

    @Test("unplugging ends the stream with an error after the captured frames")
    func unplugged() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        bench.microphone.unpluggedFile = bench.path("unplugged")
        let stream = try await bench.open()
        _ = await stream.hear { $0.frameCount >= 1_600 }
        try bench.touch("unplugged")
        let heard = await stream.hear()
        #expect(heard.isEnded)
        #expect(heard.failure?.code == .deviceLost)
        #expect(heard.failure?.errorNumber == ENODEV)
        #expect(heard.events.count == 1)
        #expect(bench.log.count(.close) == 1)
        #expect(bench.log.count(.refused) == 0)
    }

    @Test("a lost device is reported, retried, and resumes when it is plugged in")
    func replugged() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        bench.microphone.unpluggedFile = bench.path("unplugged")
        let stream = try await bench.open(onLoss: .wait)
        let before = await stream.hear { $0.frameCount >= 1_600 }
        try bench.touch("unplugged")
        let lost = await stream.hear { !$0.events.isEmpty }
        guard case .deviceLost(let error) = lost.events[0] else {
            Issue.record("\(lost.events)")
            return
        }
        #expect(error.code == .deviceLost)
        try bench.remove("unplugged")
        let after = await stream.hear { $0.frameCount >= 1_600 }
        await stream.stop()
        #expect(after.events == [.deviceReturned])
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        #expect(Array(after.samples.prefix(1_600)) == Array(expected.prefix(1_600)))
        #expect((after.runs.first?.position ?? 0) >= Int64(before.frameCount))
        #expect(bench.log.count(.open) == 2)
    }

    @Test("stop ends the stream of a lost device at once, without an error")
    func stoppedWhileAway() async throws {
        var bench = try Bench()
        bench.timing.firstBackOff = 30_000
        bench.timing.longestBackOff = 30_000
        bench.microphone.unpluggedFile = bench.path("unplugged")
        let stream = try await bench.open(onLoss: .wait)
        try bench.touch("unplugged")
        _ = await stream.hear { $0.events.contains { if case .deviceLost = $0 { true } else { false } } }
        await stream.stop()
        let rest = await stream.hear()
        #expect(rest.events.isEmpty)
        #expect(rest.runs.isEmpty)
    }
}
