import Authorization
import Foundation
import Synchronization

/// Carries frames from the device to the recogniser: none once a permission has ended, and none from while the session
/// may not listen.
///
/// Whether a batch of frames may be heard is decided when it comes from the device. A recogniser that takes its time must
/// not make it a question of a later moment.
final class FramePump: Sendable {
    private enum Passed: Sendable {
        case frames(Frames)
        case report(SessionInput)
    }

    private struct State {
        var isSuspended = false
        var isInBackground = false
        /// Frames that were dropped since the client went to the background.
        var backgroundFrames: Int64 = 0
        var frames: Int64 = 0
        /// Frames that were decided about and that the recogniser has not taken yet.
        var waiting = 0
        /// Position of the first frame that was handed on: the zero of the recogniser's times.
        var origin: Int64?
        /// The recogniser was told that the utterance is over, and nothing was handed on since.
        var hasClosedUtterance = true
        /// A report of progress waits to be looked at; further ones are left out until then.
        var hasUnseenProgress = false
    }

    /// Frames that may wait for the recogniser, 10 s; those that come while it is full are lost.
    static let mostWaiting = 160_000

    private let state = Mutex(State())
    private let leases: [Lease]
    private let recognition: any RecognitionSession
    private let tee: SessionTee
    private let presence: @Sendable () -> Presence
    private let patience: Int64
    private let report: @Sendable (SessionInput) -> Void

    /// - Parameters:
    ///   - presence: where the client stands now; asked for every batch of frames.
    ///   - patience: frames that are dropped in the background before `leftForTooLong` is reported.
    init(
        leases: [Lease], recognition: any RecognitionSession, tee: SessionTee,
        presence: @escaping @Sendable () -> Presence,
        patience: Int64, report: @escaping @Sendable (SessionInput) -> Void
    ) {
        self.leases = leases
        self.recognition = recognition
        self.tee = tee
        self.presence = presence
        self.patience = patience
        self.report = report
    }

    /// Frames that were read from the device so far.
    var frames: Int64 { state.withLock { $0.frames } }

    /// While suspended, frames are dropped as they come.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set { state.withLock { $0.isSuspended = newValue } }
    }

    func progressWasSeen() { state.withLock { $0.hasUnseenProgress = false } }

    /// Runs until the stream ends and what passed has reached the recogniser.
    func run(_ stream: any CaptureStream) async {
        // Bounded by `mostWaiting`; an event must not be lost.
        let (passed, queue) = AsyncStream.makeStream(of: Passed.self, bufferingPolicy: .unbounded)
        async let feeding: Void = feed(passed)
        var meter = LevelMeter()
        for await event in stream.events {
            switch event {
            case .frames(let frames):
                guard leases.allSatisfy(\.isLive) else { continue }
                if let heard = decide(frames) {
                    if heard.samples.count == frames.samples.count, let level = meter.levels(of: frames.samples).last {
                        reportProgress(to: frames, level)
                    }
                    queue.yield(.frames(heard))
                }
            case .overrun(let lostFrames): queue.yield(.report(.overrun(lostFrames: lostFrames)))
            case .deviceLost: queue.yield(.report(.deviceLost))
            case .deviceReturned: queue.yield(.report(.deviceReturned))
            case .failed(let error): queue.yield(.report(.captureFailed(error)))
            }
        }
        queue.finish()
        await feeding
    }

    private func feed(_ passed: AsyncStream<Passed>) async {
        for await item in passed {
            switch item {
            case .frames(let frames):
                state.withLock { $0.waiting -= frames.samples.count }
                guard leases.allSatisfy(\.isLive) else { continue }
                tee.heard(frames)
                await recognition.accept(frames)
            case .report(let input): report(input)
            }
        }
    }

    /// - Returns: what the recogniser gets for the frames.
    private func decide(_ frames: Frames) -> Frames? {
        let presence = presence()
        let mayListen = leases.allSatisfy { $0.allowsListening(in: presence) }
        let count = frames.samples.count
        let (heard, news) = state.withLock { state -> (Frames?, [SessionInput]) in
            state.frames += Int64(count)
            var news: [SessionInput] = []
            if state.isInBackground == mayListen {
                state.isInBackground = !mayListen
                state.backgroundFrames = 0
                news.append(mayListen ? .returned : .wentToBackground)
            }
            if !mayListen {
                let before = state.backgroundFrames
                state.backgroundFrames += Int64(count)
                if before <= patience, state.backgroundFrames > patience { news.append(.leftForTooLong) }
            }
            if !mayListen || state.isSuspended { return (Self.close(&state, before: frames), news) }
            guard state.waiting + count <= Self.mostWaiting else {
                return (nil, news + [.overrun(lostFrames: Int64(count))])
            }
            state.origin = state.origin ?? frames.position
            state.hasClosedUtterance = false
            state.waiting += count
            return (frames, news)
        }
        for input in news { report(input) }
        return heard
    }

    /// What was heard before a pause is an utterance, whatever comes after it: one silent sample beyond a gap of dropped
    /// ones ends it, so that its words come now and not with later ones.
    private static func close(_ state: inout State, before frames: Frames) -> Frames? {
        guard !state.hasClosedUtterance, frames.samples.count > 1 else { return nil }
        state.hasClosedUtterance = true
        state.waiting += 1
        return Frames(samples: [0], position: frames.position + Int64(frames.samples.count) - 1)
    }

    private func reportProgress(to frames: Frames, _ level: Double) {
        let origin: Int64? = state.withLock {
            guard !$0.hasUnseenProgress else { return nil }
            $0.hasUnseenProgress = true
            return $0.origin
        }
        guard let origin else { return }
        let position = frames.position - origin + Int64(frames.samples.count)
        report(.progress(seconds: Double(position) / 16_000, decibels: level))
    }
}

/// All that can happen to a session, in one queue, so that one loop decides about it in order.
enum SessionInput: Sendable {
    /// Seconds of audio that were captured so far, and the level of the last tenth of a second.
    case progress(seconds: Double, decibels: Double)
    case overrun(lostFrames: Int64)
    /// The client is in the background, and its permission does not reach there.
    case wentToBackground
    case returned
    /// It has been in the background for longer than a yes for one session bears.
    case leftForTooLong
    case deviceLost
    case deviceReturned
    case captureFailed(CaptureError)
    case recognition(RecognitionEvent)
    /// The recogniser's events are over without a last word of it.
    case recognitionEnded
    case control(SessionControl)
    case leaseEnded(LeaseEnding)
    /// Given up from outside.
    case abandoned(DictationEnding)
}

/// Measures loudness over tenths of a second of 16 kHz mono.
struct LevelMeter {
    /// Frames in a tenth of a second.
    static let window = 1_600
    /// Below the smallest step of 16 bits (−90.3 dBFS).
    static let silence = -96.0

    private var sum = 0.0
    private var count = 0

    /// - Returns: the root mean square in dBFS of each tenth of a second that these samples complete.
    mutating func levels(of samples: [Int16]) -> [Double] {
        var levels: [Double] = []
        for sample in samples {
            let value = Double(sample) / 32_768
            sum += value * value
            count += 1
            if count == Self.window {
                levels.append(sum == 0 ? Self.silence : max(Self.silence, 10 * log10(sum / Double(count))))
                sum = 0
                count = 0
            }
        }
        return levels
    }
}
