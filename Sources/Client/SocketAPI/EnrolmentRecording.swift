import Foundation

/// A line of the body of `POST /v1/voice-profile/recordings`: a sentence, and a sound file in which it is read.
public struct EnrolmentRecording: Sendable, Hashable, Codable {
    public var text: String
    /// WAV, FLAC or Ogg as it is on disk; in Base64.
    public var sound: Data

    public init(text: String, sound: Data) {
        self.text = text
        self.sound = sound
    }
}
