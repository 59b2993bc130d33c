import Foundation
import Speech
import TestSupport
import Testing

@testable import ALSACapture
@testable import Authorization

@Suite("Capturing from a device", .timeLimit(.minutes(1)))
struct CaptureTests {
    @Test("the device's samples arrive bit for bit, then silence")
    func bitExact() async throws {
        let bench = try Bench()
        let stream = try await bench.open()
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        let heard = await stream.hear { $0.frameCount >= expected.count + 1600 }
        await stream.stop()
        #expect(Array(heard.samples.prefix(expected.count)) == expected)
        #expect(heard.samples.dropFirst(expected.count).allSatisfy { $0 == 0 })
        #expect(heard.events.isEmpty)
    }

    @Test("the header of a WAV file is not heard")
    func wav() async throws {
        let bench = try Bench(file: HumanSpeech.librivox)
        let stream = try await bench.open()
        let expected = Array(try HumanSpeech.samples(HumanSpeech.librivox).dropFirst(22))
        let heard = await stream.hear { $0.frameCount >= expected.count }
        await stream.stop()
        #expect(Array(heard.samples.prefix(expected.count)) == expected)
    }

    @Test("a looping device begins again without a gap")
    func loop() async throws {
        var bench = try Bench()
        bench.microphone.loops = true
        let stream = try await bench.open()
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        let heard = await stream.hear { $0.frameCount >= expected.count * 2 }
        await stream.stop()
        #expect(Array(heard.samples.prefix(expected.count * 2)) == expected + expected)
    }

    @Test("positions count every frame without a gap")
    func positions() async throws {
        let stream = try await Bench().open()
        let heard = await stream.hear { $0.frameCount >= 20_000 }
        await stream.stop()
        var next: Int64 = 0
        for run in heard.runs {
            #expect(run.position == next)
            next += Int64(run.samples.count)
        }
    }

    @Test("a device in real time takes as long as the recording")
    func realTime() async throws {
        var bench = try Bench()
        bench.microphone.speed = 1
        let expected = try HumanSpeech.samples(HumanSpeech.goForward)
        let clock = ContinuousClock()
        let start = clock.now
        let stream = try await bench.open()
        let heard = await stream.hear { $0.frameCount >= expected.count }
        let duration = clock.now - start
        await stream.stop()
        #expect(Array(heard.samples.prefix(expected.count)) == expected)
        // 44,580 frames at 16 kHz are 2.786 s; a busy machine may be later, never earlier.
        #expect(duration > .milliseconds(2_700))
        #expect(duration < .seconds(10))
    }

    @Test("44.1 kHz stereo is converted to 16 kHz mono")
    func converted() async throws {
        var bench = try Bench()
        let original = try HumanSpeech.samples(HumanSpeech.goForward)
        // Straight lines between the samples are enough: the comparison is of 16 kHz sound.
        let count = (original.count - 1) * 441 / 160
        let stereo = (0..<count).flatMap { index -> [Int16] in
            let at = index * 160 / 441
            let part = index * 160 % 441
            let value = (Int(original[at]) * (441 - part) + Int(original[at + 1]) * part) / 441
            return [Int16(value), Int16(value)]
        }
        bench.microphone.file = bench.path("stereo.wav")
        try HumanSpeech.wav(stereo, sampleRate: 44_100, channels: 2).write(
            to: bench.folder.appendingPathComponent("stereo.wav"))
        let stream = try await bench.open()
        let heard = await stream.hear { $0.frameCount >= original.count }
        await stream.stop()
        let best = (-40...40).map { correlation(heard.samples, original, lag: $0) }.max() ?? 0
        #expect(best > 0.9)
    }

    @Test("a slow reader gets the number of lost frames, and memory stays bounded")
    func slowReader() async throws {
        let queue = CaptureQueue(lease: try Bench.lease(), capacity: 1000)
        for index in 0..<10 {
            queue.append(.frames(Frames(samples: [Int16](repeating: 1, count: 320), position: Int64(index * 320))))
        }
        queue.close(.deviceReturned)
        var events: [CaptureEvent] = []
        while let event = await queue.next() { events.append(event) }
        #expect(events.count == 5)
        #expect(events[3] == .overrun(lostFrames: 7 * 320))
    }

    @Test("a device waits with silence for the file that starts it")
    func startFile() async throws {
        var bench = try Bench()
        bench.microphone.speed = 4
        bench.microphone.waitForFile = bench.path("start")
        let stream = try await bench.open()
        let before = await stream.hear { $0.frameCount >= 4_000 }
        try bench.touch("start")
        let after = await stream.hear { $0.samples.contains { $0 != 0 } }
        await stream.stop()
        #expect(before.samples.allSatisfy { $0 == 0 })
        #expect(after.frameCount > 0)
    }

    private func correlation(_ left: [Int16], _ right: [Int16], lag: Int) -> Double {
        var both = 0.0, one = 0.0, other = 0.0
        for index in 2_000..<42_000 {
            let a = Double(left[index + lag]), b = Double(right[index])
            both += a * b
            one += a * a
            other += b * b
        }
        return both / (one * other).squareRoot()
    }
}
