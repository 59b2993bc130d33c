import SocketAPI
import Speech
import VoiceGateClient

/// One sound file from its first byte to its last word.
struct FileRun {
    let client: VoiceGateClient
    let output: Output
    let format: TranscriptFormat
    let told: TranscriptionRequest
    let form: TextForm
    /// `nil`: to standard output.
    let target: TranscriptFile?

    /// - Parameters:
    ///   - number: of the file, of so many; the first is 1.
    func run(_ file: String, number: Int = 1, of count: Int = 1) async throws {
        let input = try await SoundInput.open(file)
        let place = target?.place
        var writer = try TranscriptWriter(
            file: file, format: format, isPiecemeal: target != nil, captions: place?.captions ?? 0,
            after: place?.hasBegun == true ? target?.writtenLines() ?? [] : [])
        var former = TextFormer(form)
        var progress = FileProgressLine(output, file: file, number: number, of: count)
        do {
            for try await event in try await client.transcribe(input, told: told, from: place?.from ?? 0) {
                if output.isJSON { try output.json(event) }
                switch event.event {
                case .started:
                    if place?.hasBegun != true { try write(writer.head()) { $0.hasBegun = true } }
                case .progress(let seconds, let duration):
                    progress.tell(seconds, of: duration)
                case .final(let transcript):
                    let lines = try writer.lines(
                        for: form == .asSaid ? transcript : former.transcript(transcript, oneLine: format != .text))
                    try write(lines) {
                        $0.from = transcript.end
                        $0.captions = writer.captions
                    }
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
        guard status != .success else { return try write(writer.tail()) { $0.nextInput() } }
        output.warn("\(file): \(message ?? "It ended before its last word (\(ending.rawValue)).")")
        throw CommandError.alreadyTold(status)
    }

    private func write(_ lines: [String], _ advance: (inout ResumePlace) -> Void) throws {
        if let target { return try target.write(lines, advance) }
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
