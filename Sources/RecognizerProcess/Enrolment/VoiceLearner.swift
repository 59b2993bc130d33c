import Foundation
import Logging
import Recognition
import Synchronization

/// Learns voices, one at a time, each in a process of its own that is locked in and ends with it.
public final class VoiceLearner: Sendable {
    /// Where packages put sphinxtrain's programs; Debian's first.
    private static let toolFolders = ["/usr/lib/sphinxtrain", "/usr/libexec/sphinxtrain"]
    private static let tools = ["bw", "mllr_solve"]

    private let executable: String
    private let modelFolder: @Sendable () throws -> String
    private let logger: Logger
    private let isBusy = Mutex(false)

    /// - Parameters:
    ///   - executable: the path of `voicegate-recognizer`.
    ///   - modelFolder: of a model that may be loaded now.
    public init(executable: String, modelFolder: @escaping @Sendable () throws -> String, logger: Logger) {
        self.executable = executable
        self.modelFolder = modelFolder
        self.logger = logger
    }

    /// Whether a voice could be learnt now; to be asked before anybody reads.
    ///
    /// - Throws: `toolMissing` or `busy`.
    public func check() throws(EnrolmentError) {
        _ = try Self.toolFolder()
        if isBusy.withLock({ $0 }) { throw Self.busy }
    }

    /// Blocks nobody's thread; takes about half as long as the sound. Cancelling the task ends the process and removes all
    /// that it wrote.
    ///
    /// - Parameter onProgress: gets the share that is done, 0…1.
    /// - Throws: `EnrolmentError`, and what `modelFolder` throws.
    public func learn(
        from clips: [EnrolmentClip], onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> Adaptation {
        let tools = try Self.toolFolder()
        let isFree = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw Self.busy }
        defer { isBusy.withLock { $0 = false } }
        let model = try modelFolder()
        let process = LearningProcess(
            executable: executable, modelFolder: model, tools: tools, logger: logger, onProgress: onProgress)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The process ends with the thread that started it, so that thread stays with it.
                Thread.detachNewThread { continuation.resume(with: Result { try process.run(clips) }) }
            }
        } onCancel: {
            process.cancel()
        }
    }

    private static func toolFolder() throws(EnrolmentError) -> String {
        let folder = toolFolders.first { folder in
            tools.allSatisfy { access(folder + "/" + $0, X_OK) == 0 }
        }
        guard let folder else {
            throw EnrolmentError(
                code: .toolMissing,
                message: "A voice is learnt with sphinxtrain, which is not installed. Install it:  sudo apt-get install "
                    + "sphinxtrain")
        }
        return folder
    }

    private static let busy = EnrolmentError(
        code: .busy, message: "Another voice is being learnt; try again when that is done.")
}
