import Foundation

/// The header of a RIFF WAVE file of PCM ("Multimedia Programming Interface and Data
/// Specifications 1.0", IBM and Microsoft, 1991).
enum WaveHeader {
    /// - Parameters:
    ///   - count: bytes of samples behind it; a file can tell of 4 GiB, which are 37 hours at the recogniser's format. More
    ///     is told as the longest there can be, which readers take for a length that is not known.
    ///   - width: bytes of a sample.
    static func bytes(ofData count: Int64, rate: Int = 16_000, channels: Int = 1, width: Int = 2) -> Data {
        let size = UInt32(clamping: count)
        var bytes = Data()
        func add(_ text: String) { bytes += Data(text.utf8) }
        func add(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += Data($0) } }
        add("RIFF")
        add(size.addingReportingOverflow(36).overflow ? UInt32.max : size + 36)
        add("WAVEfmt ")
        add(UInt32(16))
        // PCM, channels, frames and bytes a second, bytes a frame, bits a sample.
        add(UInt16(1))
        add(UInt16(clamping: channels))
        add(UInt32(clamping: rate))
        add(UInt32(clamping: rate * channels * width))
        add(UInt16(clamping: channels * width))
        add(UInt16(clamping: width * 8))
        add("data")
        add(size)
        return bytes
    }
}
