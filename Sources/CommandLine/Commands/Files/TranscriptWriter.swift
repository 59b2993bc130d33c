import Base
import Foundation
import SocketAPI
import Speech

/// Formats the utterances of one file, each as soon as possible. Each element is a line.
struct TranscriptWriter {
    private let file: String
    private let format: TranscriptFormat
    /// Whether JSON is written per utterance; otherwise as one line at the end.
    private let isPiecemeal: Bool
    /// Whether text begins with a line that names the file, as head(1) writes it.
    private let isNamed: Bool
    /// Captions of the output so far, including other files.
    private(set) var captions: Int
    private var transcripts: [Transcript]

    /// What `--format json` prints for a file.
    private struct Document: Encodable {
        let file: String
        let text: String
        let segments: [Transcript]
    }

    /// - Parameters:
    ///   - isNamed: whether text begins with a line that names the file.
    ///   - captions: the number of captions written before.
    ///   - lines: the lines of this file written before, which are continued.
    /// - Throws: a decoding error if a line has another format.
    init(
        file: String, format: TranscriptFormat, isPiecemeal: Bool = false, isNamed: Bool = false, captions: Int = 0,
        after lines: [String] = []
    ) throws {
        (self.file, self.format, self.isPiecemeal, self.isNamed) = (file, format, isPiecemeal, isNamed)
        self.captions = captions
        let decoder = JSONCoding.decoder()
        transcripts = try (format == .json ? lines : []).dropFirst().map {
            try decoder.decode(Transcript.self, from: Data($0.drop { $0 == "," }.utf8))
        }
    }

    /// Written before the first utterance.
    func head() throws -> [String] {
        switch format {
        case .text where isNamed: ["==> \(DisplayText.cleaned(file, limit: 4_096)) <=="]
        case .vtt: SubtitleFormat.vtt.head.map { [$0] } ?? []
        case .json where isPiecemeal: ["{\"file\":\(try JSONCoding.text(of: file)),\"segments\":["]
        default: []
        }
    }

    mutating func lines(for transcript: Transcript) throws -> [String] {
        switch format {
        case .text: return transcript.text.isEmpty ? [] : [transcript.markedText]
        case .json:
            transcripts.append(transcript)
            guard isPiecemeal else { return [] }
            return [(transcripts.count > 1 ? "," : "") + (try JSONCoding.text(of: transcript))]
        case .srt, .vtt:
            let subtitles = format == .srt ? SubtitleFormat.srt : .vtt
            return Caption.captions(of: transcript).map { caption in
                captions += 1
                return subtitles.text(of: caption, number: captions)
            }
        }
    }

    /// Written after the last utterance.
    func tail() throws -> [String] {
        guard format == .json else { return [] }
        let reply = TranscriptionReply(segments: transcripts)
        guard isPiecemeal else {
            return [try JSONCoding.text(of: Document(file: file, text: reply.text, segments: reply.segments))]
        }
        return ["],\"text\":\(try JSONCoding.text(of: reply.text))}"]
    }
}
