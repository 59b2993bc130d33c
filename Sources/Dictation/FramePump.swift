import Authorization
import Capture
import Recognition
import Synchronization

/// Carries frames from the device to the recogniser, and nothing once a permission has ended.
final class FramePump: Sendable {
    private struct State {
        var isPaused = false
        var frames: Int64 = 0
        /// Position of the first frame that was handed on: the zero of the recogniser's times.
        var origin: Int64?
        /// A report of progress waits to be looked at; further ones are left out until then.
        var hasUnseenProgress = false
    }

    private let state = Mutex(State())
    private let leases: [Lease]
    private let recognition: any RecognitionSession
    private let report: @Sendable (SessionInput) -> Void

    init(leases: [Lease], recognition: any RecognitionSession, report: @escaping @Sendable (SessionInput) -> Void) {
        self.leases = leases
        self.recognition = recognition
        self.report = report
    }

    /// Frames that were read from the device so far.
    var frames: Int64 { state.withLock { $0.frames } }

    /// While paused, frames are dropped as they come.
    var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { state.withLock { $0.isPaused = newValue } }
    }

    func progressWasSeen() { state.withLock { $0.hasUnseenProgress = false } }

    /// Runs until the stream ends.
    func run(_ stream: any CaptureStream) async {
        var meter = LevelMeter()
        for await event in stream.events {
            switch event {
            case .frames(let frames):
                guard leases.allSatisfy(\.isLive) else { continue }
                let origin: Int64? = state.withLock {
                    $0.frames += Int64(frames.samples.count)
                    if $0.isPaused { return nil }
                    let origin = $0.origin ?? frames.position
                    $0.origin = origin
                    return origin
                }
                guard let origin else { continue }
                if let level = meter.levels(of: frames.samples).last {
                    reportProgress(to: frames, since: origin, level)
                }
                await recognition.accept(frames)
            case .overrun(let lostFrames): report(.overrun(lostFrames: lostFrames))
            case .deviceLost: report(.deviceLost)
            case .deviceReturned: report(.deviceReturned)
            case .failed(let error): report(.captureFailed(error))
            }
        }
    }

    private func reportProgress(to frames: Frames, since origin: Int64, _ level: Double) {
        let isNews = state.withLock {
            let isUnseen = $0.hasUnseenProgress
            $0.hasUnseenProgress = true
            return !isUnseen
        }
        guard isNews else { return }
        let position = frames.position - origin + Int64(frames.samples.count)
        report(.progress(seconds: Double(position) / 16_000, decibels: level))
    }
}
