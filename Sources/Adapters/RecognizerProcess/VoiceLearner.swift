import Foundation
import Logging
import Speech
import Synchronization

/// Learns voices, one at a time, each in a sandboxed process of its own.
public final class VoiceLearner: Sendable {
    /// Folders of sphinxtrain's programs; Debian's first.
    private static let toolFolders = ["/usr/lib/sphinxtrain", "/usr/libexec/sphinxtrain"]
    private static let tools = ["bw", "mllr_solve"]

    private let executable: String
    private let modelFolder: String
    private let logger: Logger
    private let isBusy = Mutex(false)
    private let checkModel: @Sendable () throws(RecognitionError) -> Void

    /// - Parameters:
    ///   - executable: the path of `voicegate-recognizer`.
    ///   - checkModel: throws if the model may not be loaded.
    public init(
        executable: String, modelFolder: String,
        checkModel: @escaping @Sendable () throws(RecognitionError) -> Void = {}, logger: Logger
    ) {
        self.executable = executable
        self.modelFolder = modelFolder
        self.checkModel = checkModel
        self.logger = logger
    }

    /// Call it before the user reads.
    ///
    /// - Throws: `toolMissing` or `busy`.
    public func check() throws(EnrolmentError) {
        _ = try Self.toolFolder()
        if isBusy.withLock({ $0 }) { throw Self.busy }
    }

    /// Takes about half as long as the sound. Cancelling the task kills the process and removes its files.
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
                // A thread of its own: the kernel kills the process when the thread that started it exits.
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
                message: "Voice enrolment needs sphinxtrain. Install it:  sudo apt-get install sphinxtrain")
        }
        return folder
    }

    private static let busy = EnrolmentError(
        code: .busy, message: "Another enrolment is running. Try again later.")
}
