import Foundation
import Speech
import Testing

@testable import VoskRecognition

@Suite("What Vosk's library writes")
struct VoskResultTests {
    private func result(_ json: String) throws(RecognitionError) -> VoskResult {
        try VoskResult(json: Data(json.utf8))
    }

    @Test("words have times and confidences, alternatives have neither, and live text is text alone")
    func forms() throws {
        let final = try result(
            #"{"result": [{"conf": 0.5, "end": 0.81, "start": 0.45, "word": "오늘"}], "text": "오늘"}"#)
        #expect(final.words == [TranscribedWord(word: "오늘", start: 0.45, end: 0.81, confidence: 0.5)])
        #expect(final.text == "오늘" && final.alternatives == [])
        #expect(try result(#"{"partial": "오늘 날씨"}"#).text == "오늘 날씨")
        let readings = try result(
            #"{"alternatives": [{"confidence": 36.1, "result": [{"end": 1, "start": 0, "word": "a"}], "text": "a"}, {"confidence": 35, "text": "b"}]}"#
        )
        #expect(readings.alternatives == ["a", "b"] && readings.text == "a")
        #expect(try result(#"{"text": ""}"#).words == [])
    }

    @Test(
        "something else is an error",
        arguments: ["", "{", "[]", #"{"result": [{"word": "a"}]}"#, #"{"result": 1}"#, #"{"text": 1}"#])
    func others(json: String) {
        let error = #expect(throws: RecognitionError.self) { try result(json) }
        #expect(error?.code == .decodingFailed)
    }

    @Test("more words than can be said are an error, and impossible times and confidences are bounded")
    func bounds() throws {
        let word = #"{"conf": 7, "end": -1, "start": -2, "word": "a"}"#
        #expect(
            try result(#"{"result": [\#(word)]}"#).words
                == [TranscribedWord(word: "a", start: 0, end: 0, confidence: 1)])
        let many = [String](repeating: word, count: 5_001).joined(separator: ",")
        #expect(throws: RecognitionError.self) { try result(#"{"result": [\#(many)]}"#) }
        let long = [CChar](repeating: 0x20, count: (1 << 20) + 8) + [0]
        #expect(throws: RecognitionError.self) { try VoskResult(long) }
        #expect(throws: RecognitionError.self) { try VoskResult(nil) }
    }

    @Test("numbers lose their brackets, noises are not words, and no control character comes through")
    func words() {
        for (written, spoken) in [
            ("[50]", "50"), ("(백)", "백"), ("[noise]", nil), ("<UNK>", nil), ("!SIL", nil), ("♪", nil), ("", nil),
            ("don't", "don't"), ("a\u{1B}[2J", "a[2J"), (String(repeating: "a", count: 201), nil),
        ] { #expect(VoskResult.spoken(written) == spoken, "\(written)") }
    }
}
