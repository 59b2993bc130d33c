import Foundation
import VoiceGateClient

/// The text of a sound file, an utterance a line.
///
/// - Parameters:
///   - file: of the recording.
///   - service: in tests a `SpeechServiceDouble`.
/// - Throws: `ClientError` for a refusal, and for a file that cannot be read.
public func minutes(of file: URL, from service: some SpeechService) async throws -> String {
    var lines: [String] = []
    for try await received in try await service.transcribe(contentsOf: file) {
        if case .final(let utterance) = received.event { lines.append(utterance.text) }
    }
    return lines.joined(separator: "\n")
}
