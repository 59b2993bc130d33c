import Foundation
import RecognizerProtocol

/// How the samples of `audio-start` and `audio-chunk` are to be read: interleaved, little-endian.
struct WyomingFormat: Equatable {
    /// Frames in a second.
    let rate: Int
    /// Bytes of a sample. One byte is unsigned, as in a WAV file.
    let width: Int
    let channels: Int

    /// - Throws: `RouteError` for what a WAV file cannot say; whether the sound can be used is for its reader to tell.
    init(_ event: WyomingEvent) throws(RouteError) {
        guard let rate = event.data["rate"]?.integer, let width = event.data["width"]?.integer,
            let channels = event.data["channels"]?.integer, (1...1_000_000).contains(rate), (1...4).contains(width),
            (1...64).contains(channels)
        else {
            throw RouteError(
                .badAudio,
                "\(event.type) has rate (1 to 1000000), width (1 to 4 bytes) and channels (1 to 64), all numbers.")
        }
        self.rate = rate
        self.width = width
        self.channels = channels
    }

    /// Each chunk says it again, and cannot say anything else.
    func check(_ chunk: WyomingEvent) throws(RouteError) {
        let said = ["rate", "width", "channels"].map { chunk.data[$0] ?? .null }
        let expected = [rate, width, channels]
        for (value, number) in zip(said, expected) where value != .null && value.integer != number {
            throw RouteError(.badAudio, "An audio-chunk has another format than its audio-start.")
        }
    }

    /// Of a WAV file whose length is not known yet.
    var header: [UInt8] {
        Array(WaveHeader.bytes(ofData: .max, rate: rate, channels: channels, width: width))
    }
}
