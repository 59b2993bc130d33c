import Dictation
import SocketAPI
import VoiceGateClient

/// One sound file from its first byte to its last word.
struct FileRun: Sendable {
    let client: VoiceGateClient
    let output: Output
    let format: TranscriptFormat
    let told: TranscriptionRequest

    func run(_ file: String) async throws {
        let input = try await SoundInput.open(file)
        var writer = TranscriptWriter(file: file, format: format)
        var utterances = 0
        do {
            for try await event in try await client.transcribe(input, told: told) {
                if output.isJSON { try output.json(event) }
                switch event.event {
                case .started:
                    try write(writer.head)
                case .final(let transcript):
                    utterances += 1
                    output.live("\(file): \(utterances) utterances, \(Int(transcript.end.rounded())) s")
                    try write(writer.lines(for: transcript))
                case .ended(let ending, let message):
                    output.clearLive()
                    return try finish(ending, message, file, writer)
                default:
                    break
                }
            }
        } catch let error as ClientError where error.reply != nil {
            output.clearLive()
            throw named(error, file)
        }
        throw ClientError.disconnected
    }

    private func finish(
        _ ending: DictationEnding, _ message: String?, _ file: String, _ writer: TranscriptWriter
    ) throws {
        let status = ExitStatus(ending)
        guard status != .success else { return try write(writer.tail()) }
        output.warn("\(file): \(message ?? "It ended before its last word (\(ending.rawValue)).")")
        throw CommandError.alreadyTold(status)
    }

    private func write(_ lines: [String]) throws {
        guard !output.isJSON else { return }
        for line in lines { try output.line(line) }
    }

    /// The service does not know what the file is called.
    private func named(_ error: ClientError, _ file: String) -> any Error {
        guard var reply = error.reply, reply.error.code == ErrorCode.badAudio.rawValue else { return error }
        reply.error.message = "\(file): \(reply.error.message)"
        return reply
    }
}
