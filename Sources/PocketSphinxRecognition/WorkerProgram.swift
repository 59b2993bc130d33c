import CLinux
import Foundation
import Recognition
import RecognizerProtocol

/// The worker: one session of recognition for the service at the other end of descriptor 3, then the process ends, and
/// with it every memory of what was heard.
public enum WorkerProgram {
    /// - Parameter arguments: without the program's name: `--model FOLDER`.
    public static func run(arguments: [String]) -> Never {
        EngineLog.begin()
        guard arguments.count == 2, arguments[0] == "--model", fcntl(ServiceConnection.descriptor, F_GETFD) >= 0 else {
            EngineLog.write("error", "voicegate-recognizer is started by voicegated; there is nothing to do here.")
            exit(EX_USAGE)
        }
        do {
            try serve(modelFolder: arguments[1])
            exit(EXIT_SUCCESS)
        } catch let error as RecognitionError {
            ServiceConnection.send(.recognized(.failed(error)))
        } catch let error as ModelError {
            let failure = RecognitionError(code: .modelUnavailable, message: error.message)
            ServiceConnection.send(.recognized(.failed(failure)))
        } catch {
            let failure = RecognitionError(code: .protocolViolation, message: "\(error)")
            ServiceConnection.send(.recognized(.failed(failure)))
        }
        exit(EXIT_FAILURE)
    }

    private static func serve(modelFolder: String) throws {
        lockIn("harden the process", vg_worker_harden())
        let confined = vg_worker_confine_files(modelFolder)
        // Before kernel 5.13, or where it is switched off: the filter below still forbids opening any file.
        if ![0, ENOSYS, EOPNOTSUPP, ENOENT, ENOTDIR].contains(confined) { lockIn("confine files", confined) }
        let model = try Model(folder: modelFolder)
        let finalPass = FinalPass(model: model)
        try finalPass.ready()
        lockIn("confine system calls", vg_worker_confine_calls())
        ServiceConnection.send(.ready)

        let connection = ServiceConnection()
        guard let first = try connection.next() else { return }
        guard case .start(let configuration) = first else { throw outOfOrder }
        let outbox = Outbox(send: ServiceConnection.send)
        finalPass.perform { $0.prepare(for: configuration) }
        let parts = Parts(finalPass: finalPass, outbox: outbox)
        let listener = try parts.listener(configuration)
        switch configuration.input {
        case .live:
            while let request = try connection.next() {
                switch request {
                case .audio(let samples, let position): listener.take(samples, at: position)
                case .finish: return listener.finish()
                case .start, .file: throw outOfOrder
                }
            }
        case .file:
            let session = try FileSession(listener: listener)
            while let request = try connection.next() {
                switch request {
                case .file(let bytes): try session.take(bytes)
                case .finish: return try session.finish()
                case .start, .audio: throw outOfOrder
                }
            }
        }
    }

    /// What a session is made of.
    private struct Parts {
        let finalPass: FinalPass
        let outbox: Outbox

        func listener(_ configuration: RecognitionConfiguration) throws(RecognitionError) -> any Listener {
            switch configuration.task {
            case .dictation where configuration.input == .live:
                LiveSession(configuration: configuration, decoding: finalPass, outbox: outbox)
            case .dictation:
                FinalSession(configuration: configuration, finalPass: finalPass, outbox: outbox)
            case .grammar:
                throw RecognitionError(code: .grammarRefused, message: "This engine has no grammars yet.")
            case .phrases(let phrases):
                PhraseSession(
                    configuration: configuration,
                    judge: try PhraseJudge(book: PhraseBook(phrases), finalPass: finalPass), outbox: outbox)
            case .keyPhrases(let phrases):
                KeyPhraseSession(
                    configuration: configuration,
                    judge: try KeyPhraseJudge(phrases: phrases, finalPass: finalPass), outbox: outbox)
            }
        }
    }

    /// A worker that is not locked in must not see audio.
    private static func lockIn(_ what: String, _ error: Int32) {
        guard error != 0 else { return }
        EngineLog.write("error", "cannot \(what): \(String(cString: strerror(error)))")
        exit(EX_OSERR)
    }

    private static let outOfOrder = RecognitionError(
        code: .protocolViolation, message: "The request does not fit what came before it.")
}
