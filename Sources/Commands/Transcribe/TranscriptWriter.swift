import Foundation
import Recognition
import SocketAPI

/// Turns one file's utterances into what is written, as soon as each can be.
struct TranscriptWriter {
    private let file: String
    private let format: TranscriptFormat
    private var captions = 0
    private var transcripts: [Transcript] = []

    /// What `--format json` prints for a file.
    private struct Document: Encodable {
        let file: String
        let text: String
        let segments: [Transcript]
    }

    init(file: String, format: TranscriptFormat) {
        self.file = file
        self.format = format
    }

    /// Written before the first utterance; each element is written with a line's end.
    var head: [String] { format == .vtt ? ["WEBVTT\n"] : [] }

    mutating func lines(for transcript: Transcript) -> [String] {
        switch format {
        case .text:
            return transcript.text.isEmpty ? [] : [transcript.text]
        case .json:
            transcripts.append(transcript)
            return []
        case .srt:
            return Caption.captions(of: transcript).map { caption in
                captions += 1
                return caption.subRip(number: captions)
            }
        case .vtt:
            return Caption.captions(of: transcript).map(\.webVTT)
        }
    }

    /// Written after the last utterance.
    func tail() throws -> [String] {
        guard format == .json else { return [] }
        let reply = TranscriptionReply(segments: transcripts)
        let document = Document(file: file, text: reply.text, segments: reply.segments)
        return [String(decoding: try JSONCoding.encoder().encode(document), as: UTF8.self)]
    }
}
