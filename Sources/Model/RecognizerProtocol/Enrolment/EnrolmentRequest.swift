import Speech

/// What the service tells the process that learns a voice: for each recording `clip` and its `piece`s, in order, then
/// `learn`. Closing the socket gives it up.
public enum EnrolmentRequest: Sendable, Hashable {
    /// A recording begins: what is read in it, and whether it is samples at 16 kHz mono or a sound file.
    case clip(text: String, input: RecognitionConfiguration.Input)
    /// Bytes of the recording; samples have 16 bits, little-endian.
    case piece([UInt8])
    case learn
}
