import Foundation
import TestSupport
import Testing

@testable import SoundFiles

@Suite("Sound files read as a stream")
struct SoundStreamTests {
    /// Something between a tone and noise, so that every format has something to do.
    private static let samples: [Int16] = (0..<48_000).map { Int16(9_000 * sin(Double($0 * $0 % 4_001) / 300)) }

    private static let piped = SoundFileForm(format: .wav, access: .piped)

    private func all(_ descriptor: Int32, _ form: SoundFileForm) throws -> (samples: [Int16], duration: Double?) {
        let file = try SoundFile(descriptor: descriptor, form: form)
        var samples: [Int16] = []
        while let piece = try file.read() { samples += piece }
        return (samples, file.duration)
    }

    private func whole(_ bytes: [UInt8]) throws -> (samples: [Int16], duration: Double?) {
        let path = NSTemporaryDirectory() + "sound-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        return try all(handle.fileDescriptor, SoundFileForm(format: .other, access: .whole))
    }

    /// Through a pipe in odd pieces, as a socket brings them.
    private func streamed(_ bytes: [UInt8], _ form: SoundFileForm) throws -> (samples: [Int16], duration: Double?) {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        let thread = Thread {
            for start in stride(from: 0, to: bytes.count, by: 777) {
                try? writer.write(contentsOf: bytes[start..<min(start + 777, bytes.count)])
            }
            try? writer.close()
        }
        thread.start()
        // Also after an error: a writer without a reader would end this process (SIGPIPE).
        defer { _ = try? pipe.fileHandleForReading.readToEnd() }
        return try all(pipe.fileHandleForReading.fileDescriptor, form)
    }

    private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }

    @Test(
        "a stream gives the same samples as the file on disk",
        arguments: SoundWriter.Format.allCases, [(16_000, 1), (48_000, 2), (8_000, 1)])
    func same(format: SoundWriter.Format, kind: (rate: Int, channels: Int)) throws {
        let bytes = try SoundWriter.bytes(of: Self.samples, as: format, rate: kind.rate, channels: kind.channels)
        let form = SoundFileForm(SoundFormat(beginning: bytes), withFFmpeg: false)
        #expect((form.access == .whole) == [.aiff, .caf].contains(format))
        guard form.access != .whole else { return }
        let (expected, given) = (try whole(bytes), try streamed(bytes, form))
        #expect(given.samples == expected.samples)
        #expect(given.samples.count >= 16_000)
        if let duration = given.duration { #expect(abs(duration - 48_000 / Double(kind.rate)) < 0.2) }
        #expect((given.duration == nil) == [.vorbis, .opus].contains(format))
    }

    @Test("a truncated stream is read up to its end", arguments: [SoundWriter.Format.wav, .flac, .vorbis, .mp3])
    func cut(format: SoundWriter.Format) throws {
        let bytes = try SoundWriter.bytes(of: Self.samples, as: format)
        let part = Array(bytes.prefix(bytes.count * 2 / 3))
        let form = SoundFileForm(SoundFormat(beginning: part), withFFmpeg: false)
        let found = try streamed(part, form).samples
        #expect(found.count > 16_000)
        #expect(found.count < 40_000)
    }

    @Test("a placeholder length in the header counts as unknown", arguments: [0xFFFF_FFFF, 0x7FFF_F000] as [UInt32])
    func unknownLength(length: UInt32) throws {
        var bytes = [UInt8](HumanSpeech.wav(Self.samples, sampleRate: 16_000, channels: 1))
        bytes.replaceSubrange(40..<44, with: little(length))
        let found = try streamed(bytes, Self.piped)
        #expect(found.samples == Self.samples)
        #expect(found.duration == nil)
    }

    @Test("a header of 4 GB, a chunk of 3 MB before the sound, or no sound: no memory used, no process ended")
    func lies() throws {
        let plain = [UInt8](HumanSpeech.wav(Self.samples, sampleRate: 16_000, channels: 1))
        var large = plain
        large.replaceSubrange(40..<44, with: little(UInt32(4_000_000_000)))
        #expect(try streamed(large, Self.piped).samples == Self.samples)
        let chunk = Array("junk".utf8) + little(UInt32(3_000_000)) + [UInt8](repeating: 1, count: 3_000_000)
        #expect(try streamed(Array(plain[..<12]) + chunk + plain[12...], Self.piped).samples == Self.samples)
        #expect(throws: SoundFileError.self) { try streamed(Array(plain[..<44]), Self.piped) }
        #expect(throws: SoundFileError.self) { try streamed([], Self.piped) }
        let noise = [UInt8](repeating: 0x55, count: 200_000)
        let windowed = SoundFileForm(format: .other, access: .windowed)
        #expect(throws: SoundFileError.self) { try streamed(noise, windowed) }
    }

    @Test("the first bytes determine the format, and a tag its own length")
    func beginnings() throws {
        #expect(SoundFormat(beginning: [UInt8]()) == .other)
        #expect(SoundFormat(beginning: [0xFF, 0xFB, 0x90]) == .mp3)
        #expect(SoundFormat(beginning: [0xFF, 0xFB, 0x00]) == .freeFormatMP3)
        #expect(SoundFormat(beginning: [0xFF, 0xF1, 0x50]) == .aac)
        #expect(SoundFormat(beginning: [0xFF, 0xE0, 0]) == .other)
        let flacInOgg = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + [0x7F] + Array("FLAC".utf8)
        #expect(SoundFormat(beginning: flacInOgg) == .oggFLAC)
        #expect(SoundFormat(beginning: [0, 0, 0, 32] + Array("ftypM4A ".utf8)) == .mp4)
        #expect(SoundBeginning.tagLength(Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 2]) == 140)
        #expect(SoundBeginning.tagLength(Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 1, 2]) == 150)
        #expect(SoundBeginning.tagLength(Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 0x82]) == nil)
        #expect(SoundBeginning.tagLength(Array("RIFF".utf8) + [3, 0, 0, 0, 0, 1]) == nil)
    }

    @Test("a position that a header puts beyond all numbers is the end, and not a crash")
    func hugeOffset() throws {
        let window = SoundSource(descriptor: -1, isStream: true)
        let pointer = Unmanaged.passUnretained(window).toOpaque()
        let (seek, tell) = try (#require(SoundSource.callbacks.seek), #require(SoundSource.callbacks.tell))
        let end = seek(.max, SEEK_END, pointer)
        #expect(end > 0 && tell(pointer) == end)
        #expect(seek(.max, SEEK_CUR, pointer) == end)
        #expect(seek(.min, SEEK_CUR, pointer) == 0)
        #expect(seek(.min, SEEK_SET, pointer) == 0)
    }
}
