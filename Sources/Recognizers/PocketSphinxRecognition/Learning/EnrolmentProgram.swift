import CLinux
import Foundation
import RecognizerProtocol
import RecognizerWorker
import SoundFiles
import Speech

/// The process that learns a voice: receives recordings from the service, sends what it learnt, and ends. It writes only
/// into one folder in memory, which the service makes and removes.
enum EnrolmentProgram {
    static func run(model: String, work: String, tools: String) -> Never {
        do {
            try serve(model: model, work: work, tools: tools)
            exit(EXIT_SUCCESS)
        } catch let error as EnrolmentError {
            ServiceConnection.send(EnrolmentReply.failed(error))
        } catch {
            let code: EnrolmentError.Code = error is RecognitionError ? .modelUnavailable : .protocolViolation
            ServiceConnection.send(EnrolmentReply.failed(EnrolmentError(code: code, message: "\(error)")))
        }
        exit(EXIT_FAILURE)
    }

    private static func serve(model folder: String, work: String, tools: String) throws {
        Confinement.confine("harden the process", vg_sandbox_begin(VG_ENROLMENT))
        // Without Landlock only the system call filter confines the process.
        Confinement.confineFiles(VG_ENROLMENT, reading: [folder], work: work)
        Confinement.confine("confine system calls", vg_sandbox_calls(VG_ENROLMENT))
        let model = try Model(folder: folder)
        let plain = DecoderThreads(model: model, count: 1, waiting: 1)
        let learning = try VoiceLearning(
            plain: plain, adapted: Decoder(model: model), model: model, tools: TrainingTools(folder: tools, work: work)
        ) { ServiceConnection.send(EnrolmentReply.progress($0)) }
        try plain.ready()
        ServiceConnection.send(EnrolmentReply.ready)

        let connection = ServiceConnection()
        var intake = RecordingIntake()
        while let request: EnrolmentRequest = try connection.next() {
            switch request {
            case .clip(let text, let input): try intake.begin(text, input)
            case .piece(let bytes): try intake.take(bytes)
            case .learn:
                return ServiceConnection.send(EnrolmentReply.learnt(try learning.learn(from: try intake.finish())))
            }
        }
    }
}

/// Collects the received recordings within bounds, and reads those that are sound files.
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
                code: .tooMuch, message: "At most \(Bounds.mostClips) recordings can be used; send fewer.")
        }
        current = (text, input)
    }

    mutating func take(_ piece: [UInt8]) throws(EnrolmentError) {
        total += piece.count
        guard current != nil, bytes.count + piece.count <= Bounds.largestFile, total <= Bounds.largestTotal else {
            throw EnrolmentError(
                code: .tooMuch,
                message: "A recording may have at most \(Bounds.largestFile >> 20) MB, and all of them "
                    + "\(Bounds.largestTotal >> 20) MB; send less.")
        }
        bytes += piece
    }

    mutating func finish() throws(EnrolmentError) -> [Recording] {
        try end()
        return recordings
    }

    private mutating func end() throws(EnrolmentError) {
        guard let (text, input) = current else { return }
        let samples = input == .live ? Frames.samples(of: bytes) : try Self.samples(ofFile: bytes, recordings.count + 1)
        let recording = Recording(place: recordings.count, words: PhraseBook.words(of: text), samples: samples)
        seconds += recording.seconds
        guard recording.seconds <= Bounds.longestClip, seconds <= Bounds.longestTotal else {
            throw EnrolmentError(
                code: .tooMuch,
                message: "A recording may last at most \(Int(Bounds.longestClip)) seconds, and all of them "
                    + "\(Int(Bounds.longestTotal)); send less, one sentence in each.")
        }
        recordings.append(recording)
        (current, bytes) = (nil, [])
    }

    private static func samples(ofFile bytes: [UInt8], _ number: Int) throws(EnrolmentError) -> [Int16] {
        let descriptor = vg_worker_memory_file()
        guard descriptor >= 0 else {
            throw EnrolmentError(
                code: .noMemory, message: "There is not enough memory for a recording; try again later.")
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
                code: .badAudio, message: "Recording \(number) cannot be read: \(error). Send it as WAV or FLAC.")
        }
    }
}

/// A recording of known words, 16 kHz mono.
struct Recording: Sendable {
    /// Its position among the received recordings.
    let place: Int
    let words: [String]
    let samples: [Int16]

    var seconds: Double { Double(samples.count) / 16_000 }
}
