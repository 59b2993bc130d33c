import Foundation
import Speech

/// A voice profile as it is kept: the only item of its kind that bears this format.
struct KeptVoiceProfile: Sendable, Hashable, Codable {
    static let format = "voicegate-mllr-1"
    /// Bytes of an item; the matrix of Debian's model has 5,400.
    static let longest: Int64 = 2 << 20

    var format = KeptVoiceProfile.format
    /// SHA-256 of the model's means, in hexadecimal: a transform is of use to them alone.
    var model: String
    /// As `SpeakerTransform` describes it.
    var transform: String
    var gain: AdaptationGain
    var seconds: Double
}
