import Speech
import TestSupport
import Testing

@Suite("Cutting audio into utterances")
struct UtteranceCutterTests {
    private func utterances(_ events: [UtteranceCutter.Event]) -> [(end: Int64, samples: [Int16])] {
        events.compactMap { if case .ended(let end, let samples) = $0 { (end, samples) } else { nil } }
    }

    @Test(
        "a sentence between silences is one utterance with its samples",
        arguments: [1, 160, 479, 8_000])
    func oneSentence(chunk: Int) throws {
        let clip = try SpeechClip.librivox()[1].samples()
        let silence = [Int16](repeating: 0, count: 40_000)
        let audio = silence + clip + silence
        var cutter = UtteranceCutter(settings: Endpointer.Settings())
        var events: [UtteranceCutter.Event] = []
        for start in stride(from: 0, to: audio.count, by: chunk) {
            events += cutter.take(audio[start..<min(start + chunk, audio.count)], at: Int64(start))
        }
        events += cutter.finish()
        let found = utterances(events)
        #expect(found.count == 1)
        let utterance = try #require(found.first)
        let first = Int(utterance.end) - utterance.samples.count
        #expect(Array(audio[first..<Int(utterance.end)]) == utterance.samples)
        #expect(first > 30_000 && first <= 42_000)
        #expect(utterance.end > 40_000 + Int64(clip.count) - 8_000)
        // The audio reported on the way is the same, perhaps with some silence after it.
        let heard: [Int16] = events.flatMap { event -> [Int16] in
            if case .heard(let samples) = event { samples } else { [] }
        }
        #expect(heard.prefix(utterance.samples.count) == utterance.samples[...])
        #expect(events.first == .began(at: Int64(first)))
    }

    @Test("silence and a steady hiss are not speech")
    func noSpeech() {
        var cutter = UtteranceCutter(settings: Endpointer.Settings())
        #expect(cutter.take([Int16](repeating: 0, count: 160_000), at: 0).isEmpty)
        let hiss = (0..<160_000).map { _ in Int16.random(in: -8...8) }
        #expect(cutter.take(hiss, at: 160_000).isEmpty)
        #expect(cutter.finish().isEmpty)
    }

    @Test("utterances that end at an earlier pause have each sample once")
    func lookBack() throws {
        let clips = try SpeechClip.librivox().flatMap { try $0.samples().dropFirst(4_000).dropLast(4_000) }
        let audio = clips + clips
        var settings = Endpointer.Settings()
        (settings.maximumLength, settings.lookBack) = (1_000, 600)
        var cutter = UtteranceCutter(settings: settings)
        var events: [UtteranceCutter.Event] = []
        for start in stride(from: 0, to: audio.count, by: 1_600) {
            events += cutter.take(audio[start..<min(start + 1_600, audio.count)], at: Int64(start))
        }
        let found = utterances(events + cutter.finish())
        #expect(found.count >= 4)
        for (end, samples) in found { #expect(Array(audio[Int(end) - samples.count..<Int(end)]) == samples) }
        for (one, next) in zip(found, found.dropFirst()) {
            #expect(one.samples.count <= 160_000)
            #expect(next.end - Int64(next.samples.count) >= one.end)
        }
    }

    @Test("less than 50 ms that were lost are silence within the utterance", arguments: [1, 160, 799])
    func bridged(lost: Int) throws {
        let clip = try SpeechClip.librivox()[0].samples()
        var cutter = UtteranceCutter(settings: Endpointer.Settings())
        var events = cutter.take(clip[..<48_000], at: 0)
        events += cutter.take(clip[(48_000 + lost)...], at: Int64(48_000 + lost))
        events += cutter.finish()
        let found = utterances(events)
        #expect(found.count == 1)
        #expect(cutter.position == Int64(clip.count))
        let expected = clip[..<48_000] + [Int16](repeating: 0, count: lost) + clip[(48_000 + lost)...]
        let utterance = try #require(found.first)
        let first = Int(utterance.end) - utterance.samples.count
        #expect(Array(expected[first..<Int(utterance.end)]) == utterance.samples)
    }

    @Test("lost samples end the utterance, and times continue after the gap")
    func gap() throws {
        let clip = try SpeechClip.librivox()[0].samples()
        var cutter = UtteranceCutter(settings: Endpointer.Settings())
        var events = cutter.take(clip[..<48_000], at: 0)
        events += cutter.take(clip[48_000...], at: 148_000)
        events += cutter.finish()
        let found = utterances(events)
        #expect(found.count == 2)
        #expect(found[0].end <= 48_000)
        #expect(found[1].end - Int64(found[1].samples.count) >= 148_000)
        #expect(cutter.position == 100_000 + Int64(clip.count))
    }
}
