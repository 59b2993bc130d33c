import Foundation
import SoundFiles
import Testing

@Suite("Sound files of users")
struct SoundFileTests {
    /// A WAV file of a 440 Hz tone.
    private func wav(
        rate: Int = 16_000, channels: Int = 1, bits: Int = 16, frames: Int = 16_000, claimedLength: UInt32? = nil,
        format: UInt16 = 1
    ) -> [UInt8] {
        var data: [UInt8] = []
        for frame in 0..<frames {
            let value = sin(Double(frame) * 2 * .pi * 440 / Double(rate)) * 0.5
            for _ in 0..<channels {
                switch bits {
                case 8: data.append(UInt8(128 + Int(value * 127)))
                case 16: data += little(UInt16(bitPattern: Int16(value * 32_767)))
                default: data += little(Float(value).bitPattern)
                }
            }
        }
        let block = channels * bits / 8
        var bytes = Array("RIFF".utf8) + little((claimedLength ?? UInt32(data.count)) &+ 36) + Array("WAVEfmt ".utf8)
        bytes += little(UInt32(16)) + little(format) + little(UInt16(channels)) + little(UInt32(rate))
        bytes += little(UInt32(truncatingIfNeeded: rate * block)) + little(UInt16(truncatingIfNeeded: block))
        bytes += little(UInt16(bits)) + Array("data".utf8) + little(claimedLength ?? UInt32(data.count))
        return bytes + data
    }

    private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }

    private func samples(of bytes: [UInt8]) throws -> [Int16] {
        let path = NSTemporaryDirectory() + "sound-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let file = try SoundFile(descriptor: handle.fileDescriptor)
        var all: [Int16] = []
        while let piece = try file.read() { all += piece }
        return all
    }

    private func code(of bytes: [UInt8]) -> SoundFileError.Code? {
        do {
            _ = try samples(of: bytes)
            return nil
        } catch {
            return (error as? SoundFileError)?.code
        }
    }

    @Test(
        "every rate and number of channels is converted to 16 kHz, one channel, with the same length and loudness",
        arguments: [
            (16_000, 1, 16), (8_000, 1, 8), (8_000, 1, 16), (44_100, 2, 16), (96_000, 7, 16), (192_000, 16, 16),
            (11_025, 1, 8), (48_000, 1, 32),
        ])
    func formats(rate: Int, channels: Int, bits: Int) throws {
        let found = try samples(
            of: wav(rate: rate, channels: channels, bits: bits, frames: rate, format: bits == 32 ? 3 : 1))
        #expect(abs(found.count - 16_000) < 50)
        let power = found.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(found.count)
        #expect(abs(power.squareRoot() - 0.5 * 32_768 / 2.0.squareRoot()) < 600)
    }

    @Test("samples at 16 kHz stay as they are")
    func unchanged() throws {
        let bytes = wav(frames: 20_000)
        let expected = stride(from: 44, to: bytes.count, by: 2).map {
            Int16(truncatingIfNeeded: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        #expect(try samples(of: bytes) == expected)
    }

    @Test(
        "a file that is shorter than its header states is read up to its end",
        arguments: [100_000, .max - 36, 0xFFFF_FFFF])
    func lyingHeader(length: UInt32) throws {
        #expect(try samples(of: wav(frames: 5_000, claimedLength: length)).count == 5_000)
    }

    @Test("a truncated file is read up to its end")
    func truncated() throws {
        #expect(try samples(of: Array(wav(frames: 5_000).prefix(44 + 4_001))).count == 2_000)
    }

    @Test("a file without audio is an error")
    func noAudio() {
        #expect(code(of: []) == .notAudio)
        #expect(code(of: Array("RIFF".utf8)) == .notAudio)
        #expect(code(of: Array("This is a letter, and a long one at that; it is not sound.".utf8)) == .notAudio)
        #expect(code(of: Array(wav().prefix(30))) == .notAudio)
        #expect(code(of: wav(frames: 0)) == .noFrames)
    }

    @Test("unsupported rates and channel counts are an error and use no memory")
    func absurd() {
        #expect(code(of: wav(rate: 4_000)) == .formatNotSupported)
        #expect(code(of: wav(rate: 400_000, frames: 1_000)) == .formatNotSupported)
        #expect(code(of: wav(channels: 17, frames: 1_000)) == .formatNotSupported)
        #expect([.notAudio, .formatNotSupported].contains(code(of: wav(rate: 2_000_000_000, frames: 10))))
        var manyChannels = wav(frames: 10)
        manyChannels[22] = 0xFF
        manyChannels[23] = 0xFF
        #expect([.notAudio, .formatNotSupported].contains(code(of: manyChannels)))
    }

    @Test("no damaged header ends the process", arguments: 0..<44)
    func everyHeaderByte(index: Int) {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
            var bytes = wav(frames: 500)
            bytes[index] = value
            if let code = code(of: bytes) { #expect(SoundFileError.Code.allCases.contains(code)) }
        }
    }
}
