import CLinux
import Foundation
import RecognizerProtocol
import SoundFiles
import Speech

/// The process that learns a voice: takes recordings from the service, tells what it learnt, and ends. What it writes is
/// in one folder in memory, which the service made and removes.
enum EnrolmentProgram {
    /// Ten minutes of sound take about four.
    private static let longestWork: UInt32 = 1_200
    private static let mostMemory: UInt = 4 << 30
    private static let largestFile: UInt = 64 << 20

    /// - Parameter arguments: `--model FOLDER --learn FOLDER --tools FOLDER`.
    static func run(arguments: [String]) -> Never {
        do {
            try serve(model: arguments[1], work: arguments[3], tools: arguments[5])
            exit(EXIT_SUCCESS)
        } catch let error as EnrolmentError {
            EnrolmentConnection.send(.failed(error))
        } catch let error as ModelError {
            EnrolmentConnection.send(.failed(EnrolmentError(code: .modelUnavailable, message: error.message)))
        } catch {
            EnrolmentConnection.send(.failed(EnrolmentError(code: .protocolViolation, message: "\(error)")))
        }
        exit(EXIT_FAILURE)
    }

    static func isMeant(by arguments: [String]) -> Bool {
        arguments.count == 6 && arguments[0] == "--model" && arguments[2] == "--learn" && arguments[4] == "--tools"
    }

    private static func serve(model folder: String, work: String, tools: String) throws {
        WorkerProgram.lockIn("harden the process", vg_worker_harden())
        WorkerProgram.lockIn("limit the process", vg_enrolment_limit(longestWork, mostMemory, largestFile))
        let confined = vg_enrolment_confine_files(folder, work)
        // Before kernel 5.13, or where it is switched off, there is the filter below alone.
        if ![0, ENOSYS, EOPNOTSUPP, ENOENT].contains(confined) {
            WorkerProgram.lockIn("confine files", confined)
        }
        WorkerProgram.lockIn("confine system calls", vg_enrolment_confine_calls())
        let model = try Model(folder: folder)
        let learning = try VoiceLearning(
            plain: Decoder(model: model), adapted: Decoder(model: model),
            model: model, tools: TrainingTools(folder: tools, work: work)
        ) { EnrolmentConnection.send(.progress($0)) }
        EnrolmentConnection.send(.ready)

        let connection = EnrolmentConnection()
        var intake = RecordingIntake()
        while let request = try connection.next() {
            switch request {
            case .clip(let text, let input): try intake.begin(text, input)
            case .piece(let bytes): try intake.take(bytes)
            case .learn:
                return EnrolmentConnection.send(.learnt(try learning.learn(from: try intake.finish())))
            }
        }
    }
}

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

/// A recording that came in: what is read in it and how it sounds, 16 kHz mono.
struct Recording: Sendable {
    /// Its place among those that came.
    let place: Int
    let words: [String]
    let samples: [Int16]

    var seconds: Double { Double(samples.count) / 16_000 }
}

/// The end of the socket to the service in the process that learns a voice. Blocks.
final class EnrolmentConnection {
    private var decoder = WyomingDecoder()

    /// The next request, or `nil` when the service closed the socket.
    func next() throws -> EnrolmentRequest? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let event = try decoder.next() { return try EnrolmentRequest(event) }
            let count = read(ServiceConnection.descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(bytes[..<count])
        }
    }

    @Sendable static func send(_ reply: EnrolmentReply) {
        guard let bytes = try? reply.event.encoded() else { exit(EXIT_FAILURE) }
        ServiceConnection.write(bytes)
    }
}
