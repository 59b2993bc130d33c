import Foundation
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

@Suite("Recognition of sound files by real workers", .serialized)
struct FileSessionTests {
    private func transcribe(
        _ bytes: [UInt8], with fixture: PoolFixture, givesSound: Bool = false
    ) async throws -> [RecognitionEvent] {
        var configuration = RecognitionConfiguration(input: .file)
        configuration.givesSound = givesSound
        return try await fixture.events(configuration, reading: bytes)
    }

    @Test("a file is decoded utterance by utterance with the right words and times")
    func words() async throws {
        let fixture = try PoolFixture()
        let clip = try SpeechClip.librivox()[3]
        let events = try await transcribe(clip.bytes(), with: fixture)
        #expect(WordErrorRate(reference: clip.words, hypothesis: events.text).errors <= 6)
        #expect(events.last == .finished(duration: Double(try clip.samples().count) / 16_000))
        #expect(events.partials.isEmpty)
        await fixture.pool.shutdown()
    }

    @Test("a client that asks for it gets the sound of each utterance before its text")
    func sound() async throws {
        let fixture = try PoolFixture()
        let clip = try SpeechClip.librivox()[1]
        let events = try await transcribe(clip.bytes(), with: fixture, givesSound: true)
        var sound: [Int16] = []
        var utterances = 0
        for event in events {
            if case .sound(let samples) = event { sound += samples }
            guard case .final(let transcript) = event else { continue }
            utterances += 1
            let (start, end) = (Int((transcript.start * 16_000).rounded()), Int((transcript.end * 16_000).rounded()))
            #expect(sound == Array(try clip.samples()[start..<end]))
            sound = []
        }
        #expect(utterances > 0)
        await fixture.pool.shutdown()
    }

    @Test("an unreadable file is an error, and the next file is read")
    func badFile() async throws {
        let fixture = try PoolFixture()
        for bytes in [[], Array("no audio".utf8), [UInt8](repeating: 0, count: 100_000)] {
            let events = try await transcribe(bytes, with: fixture)
            #expect(events.failure?.code == .badAudio)
            #expect(events.count == 1)
        }
        let clip = try SpeechClip.librivox()[1]
        #expect(try await transcribe(clip.bytes(), with: fixture).failure == nil)
        await fixture.pool.shutdown()
    }

    @Test("a worker that is stopped during an upload does not block the sender")
    func stopped() async throws {
        let fixture = try PoolFixture(answerTimeout: .seconds(2))
        let session = try await fixture.start(.file)
        #expect(kill(try await fixture.serving(), SIGSTOP) == 0)
        for _ in 0..<40 { await session.accept(file: [UInt8](repeating: 0, count: 65_536)) }
        #expect(await session.rest().failure?.code == .workerHung)
        await fixture.pool.shutdown()
    }
}
