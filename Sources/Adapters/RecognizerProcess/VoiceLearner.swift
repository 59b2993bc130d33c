import Foundation
import Logging
import Speech
import Synchronization

/// Learns voices, one at a time, each in a process of its own that is locked in and ends with it.
public final class VoiceLearner: Sendable {
    /// Where packages put sphinxtrain's programs; Debian's first.
    private static let toolFolders = ["/usr/lib/sphinxtrain", "/usr/libexec/sphinxtrain"]
    private static let tools = ["bw", "mllr_solve"]

    private let executable: String
    private let modelFolder: String
    private let logger: Logger
    private let isBusy = Mutex(false)

    private let checkModel: @Sendable () throws(RecognitionError) -> Void

    /// - Parameters:
    ///   - executable: the path of `voicegate-recognizer`.
    ///   - checkModel: throws why the model may not be loaded.
    public init(
        executable: String, modelFolder: String,
        checkModel: @escaping @Sendable () throws(RecognitionError) -> Void = {}, logger: Logger
    ) {
        self.executable = executable
        self.modelFolder = modelFolder
        self.checkModel = checkModel
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
    /// - Throws: `EnrolmentError`, and what `checkModel` throws.
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
        let process = LearningProcess(
            executable: executable, modelFolder: modelFolder, tools: tools, logger: logger, onProgress: onProgress)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The process ends with the thread that started it, so that thread stays with it.
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            try self.checkModel()
                            return try process.run(clips)
                        })
                }
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
                message: "A voice is learnt with sphinxtrain, which is not installed. Install it:  sudo apt-get "
                    + "install "
                    + "sphinxtrain")
        }
        return folder
    }

    private static let busy = EnrolmentError(
        code: .busy, message: "Another voice is being learnt; try again when that is done.")
}
