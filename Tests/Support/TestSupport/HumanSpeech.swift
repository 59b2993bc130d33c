import Foundation

/// Recordings of people from Debian's `pocketsphinx-testdata`.
public enum HumanSpeech {
    private static let folder = "/usr/share/pocketsphinx/test/data"

    /// “go forward ten meters”: raw, 16 kHz mono, 44,580 frames.
    public static let goForward = "\(folder)/goforward.raw"

    /// A sentence of “Sense and Sensibility”: WAV, 16 kHz mono.
    public static let librivox = "\(folder)/librivox/sense_and_sensibility_01_austen_64kb-0880.wav"

    /// The samples of a raw file.
    public static func samples(_ path: String) throws -> [Int16] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return stride(from: 0, to: data.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
        }
    }

    /// A WAV file of 16-bit PCM, interleaved.
    public static func wav(_ samples: [Int16], sampleRate: Int, channels: Int) -> Data {
        var data = Data()
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: Array("RIFF".utf8))
        append(UInt32(36 + samples.count * 2))
        data.append(contentsOf: Array("WAVEfmt ".utf8))
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(channels))
        append(UInt32(sampleRate))
        append(UInt32(sampleRate * channels * 2))
        append(UInt16(channels * 2))
        append(UInt16(16))
        data.append(contentsOf: Array("data".utf8))
        append(UInt32(samples.count * 2))
        for sample in samples { append(sample) }
        return data
    }
}
