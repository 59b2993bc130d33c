import CLinux
import Dispatch
import Glibc

/// Starts programs in a session of their own, with nothing of ours but what they are given, and tells how they end.
public enum ProgramLaunch {
    /// A program that was started.
    public struct Running: Sendable {
        public let process: Int32
        fileprivate let handle: ProcessHandle

        /// Waits for its end. To be called once: nobody else may wait for the process.
        ///
        /// - Returns: the exit status, or 128 and the signal that ended it.
        public func exitStatus() async -> Int32 {
            await withCheckedContinuation { continuation in
                handle.onExit {
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    let signal = status & 0x7F
                    continuation.resume(returning: signal == 0 ? status >> 8 & 0xFF : 128 + signal)
                }
            }
        }
    }

    /// - Parameters:
    ///   - arguments: the first is the absolute path of the program.
    ///   - environment: all it gets.
    /// - Throws: `ProcessError` with the system's error number.
    public static func start(
        _ arguments: [String], environment: [String: String], folder: String
    ) throws(ProcessError) -> Running {
        guard let program = arguments.first else {
            throw ProcessError(code: .failed, message: "There is no program to start.")
        }
        var process: Int32 = 0
        let error = withStrings(arguments) { arguments in
            withStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                vg_launch(program, arguments, environment, folder, &process)
            }
        }
        guard error == 0 else {
            throw ProcessError(
                code: .failed,
                message: "\(program) cannot be started: \(String(cString: strerror(error))). Check its manifest.",
                number: error)
        }
        do {
            return Running(process: process, handle: try ProcessHandle(processIdentifier: process))
        } catch {
            // Nobody would notice its end.
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            throw error
        }
    }

    /// The C array and its strings live as long as the body.
    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
