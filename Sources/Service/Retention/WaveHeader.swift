import Foundation

/// The header of a RIFF WAVE file of 16 kHz, one channel, 16 bits ("Multimedia Programming Interface and Data
/// Specifications 1.0", IBM and Microsoft, 1991).
enum WaveHeader {
    /// - Parameter count: bytes of samples behind it; a file can tell of 4 GiB, which are 37 hours.
    static func bytes(ofData count: Int64) -> Data {
        let size = UInt32(clamping: count)
        var bytes = Data()
        func add(_ text: String) { bytes += Data(text.utf8) }
        func add(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += Data($0) } }
        add("RIFF")
        add(size.addingReportingOverflow(36).overflow ? UInt32.max : size + 36)
        add("WAVEfmt ")
        add(UInt32(16))
        // PCM, one channel, frames and bytes a second, bytes a frame, bits a sample.
        add(UInt16(1))
        add(UInt16(1))
        add(UInt32(16_000))
        add(UInt32(32_000))
        add(UInt16(2))
        add(UInt16(16))
        add("data")
        add(size)
        return bytes
    }
}
