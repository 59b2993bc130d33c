/// A piece of sound as a library decodes it.
struct SoundPiece {
    /// Frame by frame, −1…1.
    let interleaved: UnsafeBufferPointer<Float>
    let channels: Int
    let sampleRate: Int
}

/// A library's reader of one file. Blocks.
protocol SoundDecoder: AnyObject {
    /// Seconds by the header, which can be wrong; `nil`: unknown.
    var duration: Double? { get }

    /// Whether sound at the end could not be decoded, or more follows that the library does not read. Call it after the end.
    var hasMore: Bool { get }

    /// - Parameter take: gets the next piece, which is valid during the call. Not called at the end.
    /// - Returns: whether there was one.
    func read(_ take: (SoundPiece) throws(SoundFileError) -> Void) throws(SoundFileError) -> Bool
}
