import Foundation
import Speech
import TestSupport
import Testing

@testable import RecognizerProcess

@Suite("Long sound files and real workers", .serialized)
struct LongFileTests {
    private func transcribe(
        _ bytes: [UInt8], with fixture: PoolFixture, from: Double = 0
    ) async throws -> [RecognitionEvent] {
        var configuration = RecognitionConfiguration(input: .file)
        configuration.from = from
        return try await fixture.events(configuration, reading: bytes)
    }

    /// In a pool of one decoder, made for it.
    private func transcribe(_ bytes: [UInt8]) async throws -> [RecognitionEvent] {
        let fixture = try PoolFixture()
        let events = try await transcribe(bytes, with: fixture)
        await fixture.pool.shutdown()
        return events
    }

    private func wav(_ samples: [Int16]) -> [UInt8] {
        [UInt8](HumanSpeech.wav(samples, sampleRate: 16_000, channels: 1))
    }

    private func goForward() throws -> [Int16] { try HumanSpeech.samples(HumanSpeech.goForward) }

    private func pause(_ seconds: Double) -> [Int16] { [Int16](repeating: 0, count: Int(seconds * 16_000)) }

    @Test("one decoder and three give the same words, and resuming gives the rest of them")
    func decoders() async throws {
        let speech = try SpeechClip.librivox()[1].samples()
        let forward = try goForward()
        let file = wav(forward + pause(1.3) + speech + pause(2) + forward + pause(0.9) + forward)
        let three = try PoolFixture(fileDecoders: 3)
        let all = try await transcribe(file, with: three)
        await three.pool.shutdown()
        #expect(all.failure == nil)
        #expect(all.finals.count >= 4)
        #expect(all.text.contains("go forward ten meters"))
        #expect(all.finals.map(\.start) == all.finals.map(\.start).sorted())
        #expect(all.finals.allSatisfy { $0.words.allSatisfy { (0...1).contains($0.confidence) && $0.end >= $0.start } })
        let one = try PoolFixture()
        let place = all.finals[0].end
        let rest = try await transcribe(file, with: one, from: place)
        await one.pool.shutdown()
        #expect(rest.finals == Array(all.finals.dropFirst()))
        #expect(rest.last == all.last)
    }

    @Test("progress is reported in order, with the file's duration")
    func progress() async throws {
        let fixture = try PoolFixture(fileDecoders: 2)
        let file = wav(try goForward() + pause(5))
        let events = try await transcribe(file, with: fixture)
        let told = events.compactMap { event -> (Double, Double?)? in
            if case .progress(let seconds, let duration) = event { (seconds, duration) } else { nil }
        }
        #expect(told.first?.0 == 0)
        #expect(told.map(\.0) == told.map(\.0).sorted())
        #expect((told.last?.0 ?? 0) > 5)
        #expect(told.allSatisfy { $0.1 == Double(file.count - 44) / 32_000 })
    }

    @Test(
        "every common format is decoded",
        arguments: [
            (SoundWriter.Format.flac, 16_000, 1), (.vorbis, 16_000, 1), (.mp3, 16_000, 1), (.wav24, 16_000, 2),
            (.aiff, 16_000, 1),
        ])
    func formats(format: SoundWriter.Format, rate: Int, channels: Int) async throws {
        let bytes = try SoundWriter.bytes(of: try goForward(), as: format, rate: rate, channels: channels)
        let events = try await transcribe(bytes)
        #expect(WordErrorRate(reference: "go forward ten meters", hypothesis: events.text).errors <= 1)
    }

    @Test("8 kHz and 44.1 kHz keep their duration", arguments: [8_000, 44_100])
    func rates(rate: Int) async throws {
        let bytes = try SoundWriter.bytes(of: pause(2), as: .wav, rate: rate, channels: 2)
        let events = try await transcribe(bytes)
        guard case .finished(let duration)? = events.last else { throw CancellationError() }
        #expect(abs(duration - 2 * 16_000 / Double(rate)) < 0.01)
        #expect(events.finals.isEmpty)
    }

    @Test("a picture of 300 kB before the sound is skipped")
    func tag() async throws {
        let length = 300_000
        let tag = Array("ID3".utf8) + [3, 0, 0] + [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) }
        let sound = try SoundWriter.bytes(of: try goForward(), as: .mp3)
        let events = try await transcribe(tag + [UInt8](repeating: 7, count: length) + sound)
        #expect(events.text.contains("forward"))
    }

    @Test("a file ends with its sound, whatever follows")
    func endless() async throws {
        let fixture = try PoolFixture()
        let session = try await fixture.start(.file)
        async let heard = session.rest()
        await session.read(wav(pause(1)))
        // Without an end, and nothing that a test waits for but the end of what takes it: it returns at once then.
        while await fixture.pool.processes(serving: true).isEmpty == false {
            await session.accept(file: [UInt8](repeating: 0, count: 65_536))
        }
        #expect(await heard.last == .finished(duration: 1))
        await fixture.pool.shutdown()
    }

    @Test("the worker's memory does not grow with the file")
    func memory() async throws {
        let fixture = try PoolFixture()
        var peaks: [Int] = []
        for minutes in [1, 10] {
            let session = try await fixture.start(.file)
            let process = try await fixture.serving()
            async let heard = session.rest()
            await session.read(wav(try goForward() + pause(60 * Double(minutes))))
            // All but the last 256 kB was taken by the worker.
            peaks.append(try peak(process))
            await session.finish()
            #expect(await heard.failure == nil)
        }
        // The longer file has 17 MB more.
        #expect(peaks[1] - peaks[0] < 12_000, "\(peaks) kB")
        await fixture.pool.shutdown()
    }

    private func peak(_ process: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(separator: " ")[1]))
    }

    @Test("a worker that is killed in the middle of a file is one error, and the next file is read")
    func killed() async throws {
        let fixture = try PoolFixture(fileDecoders: 2)
        let session = try await fixture.start(.file)
        async let heard = session.rest()
        await session.read(wav(try goForward() + pause(2)))
        #expect(kill(try await fixture.serving(), SIGKILL) == 0)
        let events = await heard
        #expect(events.failure?.code == .workerDied)
        #expect(events.filter { if case .failed = $0 { true } else { false } }.count == 1)
        #expect(try await transcribe(wav(goForward()), with: fixture).text.contains("forward"))
        await fixture.pool.shutdown()
    }

    @Test("cancelling ends the worker without further words")
    func cancelled() async throws {
        let fixture = try PoolFixture()
        let session = try await fixture.start(.file)
        let process = try await fixture.serving()
        await session.read(wav(try goForward() + pause(1) + goForward()))
        await session.cancel()
        #expect(await session.rest().isEmpty)
        await fixture.pool.shutdown()
        #expect(kill(process, 0) == -1)
    }
}
