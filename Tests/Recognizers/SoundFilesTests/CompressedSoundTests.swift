import Foundation
import TestSupport
import Testing

@testable import SoundFiles

/// Files that people send, made here by the programs that make them elsewhere, and read as the worker reads them.
@Suite("Compressed and damaged sound files")
struct CompressedSoundTests {
    /// Loads the libraries, as a worker does at its start. The suite's other tests are unaffected: they name how to read.
    init() { FFmpeg.load() }

    /// Three seconds of something between a tone and noise.
    private static let samples: [Int16] = (0..<48_000).map { Int16(9_000 * sin(Double($0 * $0 % 4_001) / 300)) }

    private struct Outcome {
        var samples: [Int16] = []
        var incompleteness: String?

        var seconds: Double { Double(samples.count) / 16_000 }
    }

    /// Through a pipe in odd pieces, as a socket brings them, or as a whole.
    private func read(_ bytes: [UInt8]) throws -> Outcome {
        var beginning = SoundBeginning()
        var passed: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 777) {
            passed += beginning.take(Array(bytes[start..<min(start + 777, bytes.count)]))
        }
        passed += beginning.rest()
        let form = try #require(beginning.form)
        let folder = try TemporaryFolder()
        guard form.access != .whole else {
            let path = folder.path + "/sound"
            try Data(passed).write(to: URL(fileURLWithPath: path))
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return try all(handle.fileDescriptor, form)
        }
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        let thread = Thread { [passed] in
            try? writer.write(contentsOf: passed)
            try? writer.close()
        }
        thread.start()
        defer { _ = try? pipe.fileHandleForReading.readToEnd() }
        return try all(pipe.fileHandleForReading.fileDescriptor, form)
    }

    private func all(_ descriptor: Int32, _ form: SoundFileForm) throws -> Outcome {
        let file = try SoundFile(descriptor: descriptor, form: form)
        var outcome = Outcome()
        while let piece = try file.read() { outcome.samples += piece }
        outcome.incompleteness = file.incompleteness
        return outcome
    }

    /// What a program makes of the samples.
    ///
    /// - Parameter arguments: `IN` and `OUT` are the files.
    private func made(_ program: String, _ arguments: [String], as name: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path + "/in.wav", folder.path + "/" + name)
        try HumanSpeech.wav(Self.samples, sampleRate: 16_000, channels: 1).write(to: URL(fileURLWithPath: input))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
        process.arguments = arguments.map { $0 == "IN" ? input : $0 == "OUT" ? output : $0 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
    }

    private func damaged(_ bytes: [UInt8], at place: Int, count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 7)
        var bytes = bytes
        for index in place..<min(place + count, bytes.count) { bytes[index] = .random(in: 0...255, using: &generator) }
        return bytes
    }

    @Test(
        "what phones, browsers and players write is read",
        arguments: [
            ("talk.m4a", ["-c:a", "aac"]), ("early.m4a", ["-c:a", "aac", "-movflags", "+faststart"]), ("a.mp4", []),
            ("a.mov", []), ("a.webm", ["-c:a", "libopus"]), ("a.mka", ["-c:a", "libvorbis"]), ("a.aac", []),
            ("a.wma", []), ("flac.ogg", ["-c:a", "flac"]), ("gsm.wav", ["-ar", "8000", "-c:a", "libgsm_ms"]),
            ("a.caf", ["-c:a", "alac"]), ("a.3gp", ["-c:a", "aac"]),
        ])
    func formats(name: String, options: [String]) throws {
        let bytes = try made("ffmpeg", ["-v", "error", "-i", "IN"] + options + ["OUT"], as: name)
        let found = try read(bytes)
        #expect(abs(found.seconds - 3) < 0.1)
        #expect(found.incompleteness == nil)
    }

    @Test("decoders go on after damage, and say up to where they read if they cannot", arguments: [0.25, 0.9])
    func damage(place: Double) throws {
        for format in [SoundWriter.Format.flac, .mp3, .vorbis, .opus] {
            let bytes = try SoundWriter.bytes(of: Self.samples, as: format)
            let found = try read(damaged(bytes, at: Int(Double(bytes.count) * place), count: 300))
            // A page of Ogg has a second of sound, and is lost as a whole.
            #expect(found.seconds > 1 || found.incompleteness != nil)
        }
    }

    @Test("a file that is cut off says so", arguments: [SoundWriter.Format.wav, .flac])
    func cut(format: SoundWriter.Format) throws {
        let bytes = try SoundWriter.bytes(of: Self.samples, as: format)
        let found = try read(Array(bytes.prefix(bytes.count / 2)))
        #expect(found.seconds > 1)
        let reason = try #require(found.incompleteness)
        #expect(reason.contains(" of 0:03.0") && reason.contains("0:01."))
    }

    @Test("files that were joined are read to the end, whatever changes between them")
    func joined() throws {
        for format in [SoundWriter.Format.vorbis, .opus, .mp3, .flac] {
            let one = try SoundWriter.bytes(of: Self.samples, as: format)
            // A second FLAC of another rate is not one that a program would write behind the first.
            let isSame = format == .flac
            let other = try SoundWriter.bytes(
                of: Self.samples, as: format, rate: isSame ? 16_000 : 48_000, channels: isSame ? 1 : 2)
            let found = try read(one + other)
            #expect(
                abs(found.seconds - (isSame ? 6 : 4)) < 0.2 || found.incompleteness != nil, "\(format) \(found.seconds)"
            )
            if format == .opus || format == .vorbis { #expect(found.incompleteness == nil) }
        }
    }

    @Test("another recording behind the first that cannot be read is reported")
    func different() throws {
        let vorbis = try SoundWriter.bytes(of: Self.samples, as: .vorbis)
        let opus = try SoundWriter.bytes(of: Self.samples, as: .opus)
        let wav = try SoundWriter.bytes(of: Self.samples, as: .wav)
        for bytes in [vorbis + opus, wav + wav] {
            let found = try read(bytes)
            #expect(abs(found.seconds - 3) < 0.1)
            #expect(found.incompleteness?.contains("another recording") == true)
        }
    }

    @Test("a length of 0 in the header is unknown, with chunks before the sound or without")
    func lengthZero() throws {
        let plain = [UInt8](HumanSpeech.wav(Self.samples, sampleRate: 16_000, channels: 1))
        let zero = [UInt8](repeating: 0, count: 4)
        let tags = Array("LIST".utf8) + [26, 0, 0, 0] + [UInt8](repeating: 32, count: 26)
        for before in [[UInt8](), tags] {
            var bytes = plain
            bytes.replaceSubrange(40..<44, with: zero)
            bytes.insert(contentsOf: before, at: 36)
            bytes.replaceSubrange(4..<8, with: zero)
            let found = try read(bytes)
            #expect(found.samples == Self.samples)
            #expect(found.incompleteness == nil)
        }
        var au = try SoundWriter.bytes(of: Self.samples, as: .au)
        au.replaceSubrange(8..<12, with: zero)
        #expect(try read(au).seconds == 3)
    }

    @Test("MP3 of free format is read, or refused with the reason")
    func freeFormat() throws {
        let bytes = try made("lame", ["--quiet", "--freeformat", "-b", "80", "IN", "OUT"], as: "a.mp3")
        #expect(abs(try read(bytes).seconds - 3) < 0.2)
    }

    @Test("the refusal names what was sent")
    func refusal() throws {
        let bytes = [0, 0, 0, 32] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 2_000)
        let error = #expect(throws: SoundFileError.self) { try read(bytes) }
        #expect(error?.message.contains("MP4") == true)
    }

    /// MP4 with a table of sample sizes that stands for any number of samples.
    private static func mp4(samples: UInt32) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        func numbers(_ values: UInt32...) -> [UInt8] { values.flatMap(number) }
        func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
            let content = content.flatMap { $0 }
            return number(UInt32(8 + content.count)) + Array(name.utf8) + content
        }
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        let entry = box("ac-3", numbers(0, 1, 0, 0, 1 << 16 | 16, 0, 16_000 << 16))
        let table = box(
            "stbl", box("stsd", numbers(0, 1), entry), box("stts", numbers(0, 1, samples, 2)),
            box("stsc", numbers(0, 1, 1, samples, 1)), box("stsz", numbers(0, 2, samples)),
            box("stco", numbers(0, 1, 8)))
        let media = box(
            "mdia", box("mdhd", numbers(0, 0, 0, 16_000, samples, 0)),
            box("hdlr", numbers(0, 0), Array("soun".utf8), zeros(14)), box("minf", box("smhd", zeros(8)), table))
        let track = box("trak", box("tkhd", numbers(7, 0, 0, 1, 0, 1_000), zeros(60)), media)
        return box("ftyp", Array("M4A ".utf8), zeros(4), Array("M4A ".utf8))
            + box("moov", box("mvhd", numbers(0, 0, 0, 1_000, 1_000), zeros(80)), track) + box("mdat", zeros(1_000))
    }

    @Test("memory does not depend on a number in the file")
    func smallFileWithLargeIndex() throws {
        func most() -> Int {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss / 1_024
        }
        let before = most()
        // 60 million entries of 24 bytes.
        #expect(throws: SoundFileError.self) { try read(Self.mp4(samples: 60_000_000)) }
        #expect(most() < before + 300)
    }
}
