import Foundation
import Testing

@testable import Commands

@Suite("Tones")
struct ToneTests {
    @Test("they are short, quiet, begin and end in silence, and differ")
    func samples() throws {
        for tone in Tone.allCases {
            let samples = tone.samples
            #expect(samples.count == 5_760)
            #expect(abs(Int(samples.first ?? 1)) < 10 && abs(Int(samples.last ?? 1)) < 10)
            let peak = try #require(samples.map { abs(Int($0)) }.max())
            #expect(peak > 5_000 && peak < 6_600)
        }
        #expect(Tone.start.samples != Tone.stop.samples)
    }

    @Test("a rising one begins and a falling one ends")
    func pitch() {
        func crossings(_ samples: ArraySlice<Int16>) -> Int {
            zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        }
        for tone in Tone.allCases {
            let samples = tone.samples
            let (first, second) = (crossings(samples.prefix(2_880)), crossings(samples.suffix(2_880)))
            #expect(tone == .start ? first < second : first > second)
        }
    }
}
