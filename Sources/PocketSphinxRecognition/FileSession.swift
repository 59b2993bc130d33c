import CLinux
import Foundation
import Recognition
import SoundFiles

/// Words from a sound file, which is collected in memory and never on a disk.
final class FileSession {
    static let largestFile = 256 << 20

    private let listener: any Listener
    private let file: FileHandle
    private var length = 0

    init(listener: any Listener) throws(RecognitionError) {
        let descriptor = vg_worker_memory_file()
        guard descriptor >= 0 else {
            throw RecognitionError(code: .badAudio, message: "There is no memory for the sound file; try again later.")
        }
        self.file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.listener = listener
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
        do throws(SoundFileError) {
            lseek(file.fileDescriptor, 0, SEEK_SET)
            let sound = try SoundFile(descriptor: file.fileDescriptor)
            var position: Int64 = 0
            while let samples = try sound.read() {
                listener.take(samples, at: position)
                position += Int64(samples.count)
            }
        } catch {
            throw RecognitionError(code: .badAudio, message: error.message)
        }
        listener.finish()
    }
}
