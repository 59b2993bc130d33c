import Synchronization

/// Hands a file on to a recogniser as its client sends it, and gives up on one that stops sending.
final class FileUpload: Sendable {
    private struct State {
        /// Since when the client has been waited for; `nil` while the recogniser is.
        var waitingSince: ContinuousClock.Instant? = .now
        var isOver = false
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let recognition: any RecognitionSession
    private let patience: Duration

    /// - Parameter patience: how long nothing may come before the file counts as given up.
    init(to recognition: any RecognitionSession, patience: Duration) {
        self.recognition = recognition
        self.patience = patience
    }

    /// Why the file did not come to its end.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Begins to read the file. What it fails with cancels the recognition.
    func start<File: AsyncSequence & Sendable>(_ file: File) -> Task<Void, Never> where File.Element == [UInt8] {
        Task {
            let watch = Task { await self.watch() }
            do {
                for try await bytes in file {
                    state.withLock { $0.waitingSince = nil }
                    await recognition.accept(file: bytes)
                    state.withLock { $0.waitingSince = .now }
                    if state.withLock({ $0.isOver }) { break }
                }
                let isComplete = state.withLock { state in
                    state.waitingSince = nil
                    return !state.isOver && state.failure == nil
                }
                // What was broken off looks like an end to who reads it.
                if isComplete { await recognition.finish() }
            } catch {
                await give(up: error)
            }
            watch.cancel()
        }
    }

    /// Stops reading between two pieces, so that whoever reads on finds the rest of the file; where none comes, in the middle.
    func end(_ reading: Task<Void, Never>) async {
        state.withLock { $0.isOver = true }
        let timeout = Task {
            try? await Task.sleep(for: .seconds(1))
            reading.cancel()
        }
        await reading.value
        timeout.cancel()
    }

    private func watch() async {
        while !Task.isCancelled {
            let since = state.withLock { $0.waitingSince } ?? .now
            guard ContinuousClock.now < since + patience else { return await give(up: Self.stalled) }
            try? await Task.sleep(until: since + patience)
        }
    }

    private func give(up error: any Error) async {
        state.withLock { if !$0.isOver, $0.failure == nil { $0.failure = error } }
        await recognition.cancel()
    }

    private static let stalled = RecognitionError(
        code: .badAudio, message: "No more of the sound file came, though it had not come to its end; send it again.")
}
