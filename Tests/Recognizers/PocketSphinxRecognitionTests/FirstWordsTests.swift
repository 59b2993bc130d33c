import TestSupport
import Testing

@testable import PocketSphinxRecognition

/// Sources that wake up, and gates that open late, deliver exact zeros or one constant value at first.
@Suite("The first words of a live session", .timeLimit(.minutes(1)))
struct FirstWordsTests {
    private static let zeros = [Int16](repeating: 0, count: 8_000)
    private static let beginnings = [
        zeros, [Int16](repeating: 1, count: 8_000), [300] + zeros.dropLast(), zeros + zeros + zeros,
    ]

    private func words(of samples: [Int16]) throws -> [String] {
        let decoder = try Decoder(model: Model(folder: "/usr/share/pocketsphinx/model/en-us"))
        decoder.begin()
        decoder.feed(samples)
        decoder.end()
        return decoder.segments.compactMap { Vocabulary.word($0.word) }
    }

    @Test("are the same after digital silence as without it")
    func digitalSilence() throws {
        let speech = try #require(SpeechClip.shortest(1).first).samples()
        let expected = try words(of: speech)
        #expect(expected.count > 4)
        for beginning in Self.beginnings { #expect(try words(of: beginning + speech) == expected) }
    }
}
