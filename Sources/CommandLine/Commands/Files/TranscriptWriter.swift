import Foundation
import SocketAPI
import Speech

/// Turns one file's utterances into what is written, as soon as each can be. Each element is written with a line's end.
struct TranscriptWriter {
    private let file: String
    private let format: TranscriptFormat
    /// Whether JSON is written utterance by utterance; else as one line at the end.
    private let isPiecemeal: Bool
    /// Captions of the output so far, other files' among them.
    private(set) var captions: Int
    private var transcripts: [Transcript]

    /// What `--format json` prints for a file.
    private struct Document: Encodable {
        let file: String
        let text: String
        let segments: [Transcript]
    }

    /// - Parameters:
    ///   - captions: that were written before.
    ///   - lines: of this file that were written before, which this goes on with.
    /// - Throws: the error of a line that is none of this format.
    init(
        file: String, format: TranscriptFormat, isPiecemeal: Bool = false, captions: Int = 0, after lines: [String] = []
    ) throws {
        self.file = file
        self.format = format
        self.isPiecemeal = isPiecemeal
        self.captions = captions
        transcripts = []
        guard format == .json else { return }
        let decoder = JSONCoding.decoder()
        transcripts = try lines.dropFirst().map {
            try decoder.decode(Transcript.self, from: Data($0.drop { $0 == "," }.utf8))
        }
    }

    /// Written before the first utterance.
    func head() throws -> [String] {
        switch format {
        case .vtt: SubtitleFormat.vtt.head.map { [$0] } ?? []
        case .json where isPiecemeal: ["{\"file\":\(try Self.json(file)),\"segments\":["]
        default: []
        }
    }

    mutating func lines(for transcript: Transcript) throws -> [String] {
        switch format {
        case .text:
            return transcript.text.isEmpty ? [] : [transcript.text]
        case .json:
            transcripts.append(transcript)
            guard isPiecemeal else { return [] }
            return [(transcripts.count > 1 ? "," : "") + (try Self.json(transcript))]
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
            return [try Self.json(Document(file: file, text: reply.text, segments: reply.segments))]
        }
        return ["],\"text\":\(try Self.json(reply.text))}"]
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONCoding.encoder().encode(value), as: UTF8.self)
    }
}
