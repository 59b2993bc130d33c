import CLinux
import Foundation
import SoundFiles
import Speech

/// Collects recordings as they come in, within bounds; sound files are read here.
struct RecordingIntake {
    private typealias Bounds = EnrolmentClip.Bounds

    private var recordings: [Recording] = []
    private var current: (text: String, input: RecognitionConfiguration.Input)?
    private var bytes: [UInt8] = []
    private var total = 0
    private var seconds = 0.0

    mutating func begin(_ text: String, _ input: RecognitionConfiguration.Input) throws(EnrolmentError) {
        try end()
        guard recordings.count < Bounds.mostClips else {
            throw EnrolmentError(
                code: .tooMuch, message: "At most \(Bounds.mostClips) recordings are taken; give fewer.")
        }
        current = (text, input)
    }

    mutating func take(_ piece: [UInt8]) throws(EnrolmentError) {
        total += piece.count
        guard current != nil, bytes.count + piece.count <= Bounds.largestFile, total <= Bounds.largestTotal else {
            throw EnrolmentError(
                code: .tooMuch,
                message: "A recording may have at most \(Bounds.largestFile >> 20) MB, and all of them "
                    + "\(Bounds.largestTotal >> 20) MB; give less.")
        }
        bytes += piece
    }

    mutating func finish() throws(EnrolmentError) -> [Recording] {
        try end()
        return recordings
    }

    private mutating func end() throws(EnrolmentError) {
        guard let (text, input) = current else { return }
        let samples = input == .live ? Self.samples(bytes) : try Self.samples(ofFile: bytes, recordings.count + 1)
        let recording = Recording(place: recordings.count, words: PhraseBook.words(of: text), samples: samples)
        seconds += recording.seconds
        guard recording.seconds <= Bounds.longestClip, seconds <= Bounds.longestTotal else {
            throw EnrolmentError(
                code: .tooMuch,
                message: "A recording may last at most \(Int(Bounds.longestClip)) seconds, and all of them "
                    + "\(Int(Bounds.longestTotal)); give less, one sentence in each.")
        }
        recordings.append(recording)
        (current, bytes) = (nil, [])
    }

    private static func samples(_ bytes: [UInt8]) -> [Int16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(truncatingIfNeeded: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    private static func samples(ofFile bytes: [UInt8], _ number: Int) throws(EnrolmentError) -> [Int16] {
        let descriptor = vg_worker_memory_file()
        guard descriptor >= 0 else {
            throw EnrolmentError(code: .noMemory, message: "There is no memory for a recording; try again later.")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: bytes)
            lseek(descriptor, 0, SEEK_SET)
            let sound = try SoundFile(descriptor: descriptor)
            var samples: [Int16] = []
            while let more = try sound.read() {
                samples += more
                guard Double(samples.count) <= Bounds.longestClip * 16_000 + 1 else { break }
            }
            return samples
        } catch {
            throw EnrolmentError(
                code: .badAudio, message: "Recording \(number) cannot be read: \(error). Give it as WAV or FLAC.")
        }
    }
}
