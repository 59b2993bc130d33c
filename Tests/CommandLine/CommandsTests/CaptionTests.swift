import Foundation
import Speech
import TestSupport
import Testing

@testable import Commands

@Suite("Subtitles")
struct CaptionTests {
    private func transcript(_ text: String, start: Double = 1) -> Transcript {
        let words = text.split(separator: " ").enumerated().map { place, word in
            TranscribedWord(
                word: String(word), start: start + Double(place), end: start + Double(place) + 0.5, confidence: 1)
        }
        return Transcript(text: text, start: start, end: words.last?.end ?? start, words: words)
    }

    @Test("SubRip numbers captions and uses decimal commas")
    func subRip() throws {
        var writer = try TranscriptWriter(file: "a", format: .srt)
        #expect(try writer.head().isEmpty)
        #expect(try writer.lines(for: transcript("go forward")) == ["1\n00:00:01,000 --> 00:00:02,500\ngo forward\n"])
        #expect(
            try writer.lines(for: transcript("ten", start: 3_661.0005)) == ["2\n01:01:01,001 --> 01:01:01,501\nten\n"])
    }

    @Test("WebVTT has a header, decimal points, and escapes markup in the text")
    func webVTT() throws {
        var writer = try TranscriptWriter(file: "a", format: .vtt)
        #expect(try writer.head() == ["WEBVTT\n"])
        #expect(try writer.lines(for: transcript("<b> &")) == ["00:00:01.000 --> 00:00:02.500\n&lt;b&gt; &amp;\n"])
    }

    @Test("a long utterance becomes captions of two lines, each with the times of its words")
    func split() {
        let words = Array(repeating: "sensibility", count: 10).joined(separator: " ")
        let captions = Caption.captions(of: transcript(words))
        #expect(captions.map(\.lines.count) == [2, 2])
        #expect(captions.allSatisfy { $0.lines.allSatisfy { $0.count <= Caption.lineLength } })
        #expect(captions[0].start == 1)
        #expect(captions[0].end == 6.5)
        #expect(captions[1].start == 7)
        #expect(captions.flatMap(\.lines).joined(separator: " ").split(separator: " ").count == 10)
    }

    @Test("unreliable text is marked in each line and caption, and unreliable silence is not")
    func unreliable() throws {
        let said = transcript(Array(repeating: "sensibility", count: 10).joined(separator: " "))
        let noisy = Transcript(text: said.text, start: 1, end: 11, words: said.words, noisyDecibels: 9.4)
        #expect(Caption.captions(of: noisy).map { $0.lines[0].hasPrefix("[unreliable] ") } == [true, true])
        var writer = try TranscriptWriter(file: "a", format: .text)
        #expect(try writer.lines(for: noisy) == ["[unreliable] " + said.text])
        let silence = Transcript(text: "", start: 0, end: 1, words: [], noisyDecibels: 9.4)
        #expect(try writer.lines(for: silence).isEmpty)
        #expect(Caption.captions(of: silence).isEmpty)
    }

    @Test("an utterance without words makes no caption and no line", arguments: TranscriptFormat.allCases)
    func empty(_ format: TranscriptFormat) throws {
        var writer = try TranscriptWriter(file: "a", format: format)
        #expect(try writer.lines(for: Transcript(text: "", start: 0, end: 1, words: [])).isEmpty)
    }

    @Test("JSON is one object per file, written at the end")
    func json() throws {
        var writer = try TranscriptWriter(file: "a.wav", format: .json)
        #expect(try writer.lines(for: Transcript(text: "ten", start: 0, end: 1, words: [])).isEmpty)
        #expect(
            try writer.tail()
                == [#"{"file":"a.wav","segments":[{"end":1,"start":0,"text":"ten","words":[]}],"text":"ten"}"#])
    }

    private struct ReadCaption: Decodable, Equatable {
        let start: Double
        let end: Double
        let text: String
    }

    @Test("other readers read the captions unchanged", arguments: [TranscriptFormat.srt, .vtt])
    func foreignReader(_ format: TranscriptFormat) async throws {
        var writer = try TranscriptWriter(file: "a", format: format)
        var lines = try writer.head()
        let spoken = [transcript("go forward ten meters"), transcript("less than & more", start: 3_700.25)]
        for utterance in spoken { lines += try writer.lines(for: utterance) }
        let folder = try TemporaryFolder()
        let path = try folder.write(lines.map { $0 + "\n" }.joined(), to: "captions")
        let found = try await PythonTools.run("check-captions", [format.rawValue, path]).map {
            try JSONDecoder().decode(ReadCaption.self, from: Data($0.utf8))
        }
        #expect(found.map(\.start) == [1, 3_700.25])
        #expect(found.map(\.end) == [4.5, 3_703.75])
        #expect(found.map { $0.text.replacing("&amp;", with: "&") } == spoken.map(\.text))
    }
}
