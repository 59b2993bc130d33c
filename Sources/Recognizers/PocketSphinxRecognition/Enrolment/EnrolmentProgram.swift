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
