import CLinux
import Foundation
import Recognition
import SoundFiles

/// Words from a sound file, which is collected in memory and never on a disk.
final class FileSession {
    static let largestFile = 256 << 20

    private let finalPass: FinalPass
    private let outbox: Outbox
    private let endSilence: Double
    private let file: FileHandle
    private var length = 0

    init(
        configuration: RecognitionConfiguration, finalPass: FinalPass, outbox: Outbox
    ) throws(RecognitionError) {
        let descriptor = vg_worker_memory_file()
        guard descriptor >= 0 else {
            throw RecognitionError(code: .badAudio, message: "There is no memory for the sound file; try again later.")
        }
        self.file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.endSilence = configuration.endSilence
        self.finalPass = finalPass
        self.outbox = outbox
    }

    func take(_ bytes: [UInt8]) throws(RecognitionError) {
        length += bytes.count
        guard length <= Self.largestFile else {
            throw RecognitionError(
                code: .badAudio, message: "The sound file is larger than 256 MB; send it in parts or as FLAC.")
        }
        do {
            try file.write(contentsOf: bytes)
        } catch {
            throw RecognitionError(code: .badAudio, message: "There is no memory for the sound file; try again later.")
        }
    }

    /// Decodes the whole file.
    func finish() throws(RecognitionError) {
        var cutter = UtteranceCutter(settings: Endpointer.Settings(pause: endSilence))
        var count = 0
        do throws(SoundFileError) {
            lseek(file.fileDescriptor, 0, SEEK_SET)
            let sound = try SoundFile(descriptor: file.fileDescriptor)
            while let samples = try sound.read() {
                decode(cutter.take(samples, at: cutter.position), &count)
                outbox.progress(LiveSession.seconds(cutter.position))
            }
        } catch {
            throw RecognitionError(code: .badAudio, message: error.message)
        }
        decode(cutter.finish(), &count)
        finalPass.finish()
        outbox.finished(duration: LiveSession.seconds(cutter.position))
    }

    private func decode(_ events: [UtteranceCutter.Event], _ count: inout Int) {
        for event in events {
            switch event {
            case .began(let position): outbox.speechStarted(count, at: LiveSession.seconds(position))
            case .heard: break
            case .ended(let position, let samples):
                let start = LiveSession.seconds(position - Int64(samples.count))
                finalPass.decode(Utterance(number: count, start: start, samples: samples))
                count += 1
            }
        }
    }
}
