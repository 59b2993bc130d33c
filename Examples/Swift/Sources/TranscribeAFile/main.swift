// Transcribes a sound file. Requires speech recognition, but no microphone.

import Foundation
import SocketAPI
import VoiceGateClient

/// The bytes of a file in pieces, read on demand.
struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let handle: FileHandle

    func makeAsyncIterator() -> Pieces { self }

    func next() async throws -> [UInt8]? {
        guard let piece = try handle.read(upToCount: 65_536), !piece.isEmpty else { return nil }
        return [UInt8](piece)
    }
}

let path = CommandLine.arguments.dropFirst().first ?? "speech.wav"
let file = Pieces(handle: try FileHandle(forReadingFrom: URL(filePath: path)))

for try await received in try await VoiceGateClient().transcribe(file) {
    if case .final(let utterance) = received.event {
        print("\(utterance.start)–\(utterance.end) s: \(utterance.text)")
    }
}
