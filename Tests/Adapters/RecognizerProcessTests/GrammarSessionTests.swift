import Foundation
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

@Suite("Grammars, recognised by real workers", .serialized)
struct GrammarSessionTests {
    private static let moves = """
        #JSGF V1.0;
        grammar moves;
        public <move> = go (forward | backward) <number> (meter | meters) | turn (left | right) | stop;
        <number> = one | two | three | five | ten | twenty;
        """
    private static let cards = """
        #JSGF V1.0;
        grammar cards;
        public <cards> = <card>+ | <rank> <rank>;
        <card> = <rank> [ of ] <suit>;
        <suit> = clubs | hearts | diamonds | spades;
        <rank> = ace | two | three | four | five | six | seven | eight | nine | ten | jack | queen | king;
        """

    private func heard(_ grammar: String, _ clips: [SpeechClip]) async throws -> [[RecognitionEvent]] {
        let fixture = try PoolFixture()
        var all: [[RecognitionEvent]] = []
        for clip in clips {
            let samples = [Int16](repeating: 0, count: 8_000) + (try clip.samples())
            all.append(try await fixture.events(RecognitionConfiguration(task: .grammar(grammar)), hearing: samples))
        }
        await fixture.pool.shutdown()
        return all
    }

    @Test("speech that the grammar accepts is recognised with words and times and without partials")
    func allowed() async throws {
        let events = try #require(try await heard(Self.moves, [.goForward]).first)
        #expect(events.finals.map(\.text) == ["go forward ten meters"])
        #expect(events.partials.isEmpty)
        let words = try #require(events.finals.first).words
        #expect(words.map(\.word) == ["go", "forward", "ten", "meters"])
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.end <= $1.start && $0.start < $0.end })
    }

    @Test("card games are recognised")
    func cardGame() async throws {
        let folder = "/usr/share/pocketsphinx/test/data/cards/"
        let spoken = ["ten of clubs", "four queen of clubs", "seven of clubs", "five five"]
        let clips = spoken.enumerated().map { SpeechClip(path: "\(folder)00\($0.offset + 1).wav", words: $0.element) }
        let texts = try await heard(Self.cards, clips).map(\.text)
        // This grammar does not allow “four queen of clubs”.
        #expect(texts == ["ten of clubs", "", "seven of clubs", "five five"])
    }

    @Test("sentences of a book are reported as speech without words")
    func free() async throws {
        let clips = try SpeechClip.shortest(Repetitions.areMany ? 5 : 2)
        for events in try await heard(Self.cards, clips) {
            #expect(
                events.partials.isEmpty && events.finals.allSatisfy { $0.text.isEmpty && $0.words.isEmpty }, "\(events)"
            )
            if case .finished = events.last {} else { Issue.record("\(events)") }
        }
    }

    @Test(
        "an unusable grammar is refused with the reason before a worker gets it",
        arguments: [
            ("#JSGF V1.0; grammar a; public <a> = grumblefrotz;", "grumblefrotz"),
            ("#JSGF V1.0; grammar a; public <a> = <a> x;", "begins with itself"),
            ("#JSGF V1.0; grammar a; public <a> = <b>;", "no rule <b>"),
            ("#JSGF V1.0; grammar a; import <b.*>; public <a> = x;", "imports"),
            ("/etc", "line 1"), ("", "line 1"),
        ])
    func refused(_ grammar: String, _ reason: String) async throws {
        let fixture = try PoolFixture(executable: "/usr/bin/false")
        let error = await #expect(throws: RecognitionError.self) {
            _ = try await fixture.start(task: .grammar(grammar))
        }
        #expect(error?.code == .grammarRefused)
        #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
        await fixture.pool.shutdown()
    }
}
