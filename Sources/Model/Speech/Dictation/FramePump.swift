import Authorization
import Foundation
import Synchronization

/// Passes frames from the device to the recogniser: none after a permission has ended, and none that were captured while the
/// session may not listen. Each batch is decided on when it comes from the device, however slow the recogniser is.
final class FramePump: Sendable {
    private enum Item: Sendable {
        case frames(Frames)
        case report(SessionInput)
    }

    private struct State {
        var isSuspended = false
        var isInBackground = false
        var frames: Int64 = 0
        /// Accepted frames that the recogniser has not taken yet.
        var waiting = 0
        /// Position of the first accepted frame: the zero of the recogniser's times.
        var origin: Int64?
        /// The recogniser got the gap that ends an utterance, and no frames since.
        var hasSentGap = true
        /// A report of progress is in the session's queue; further ones are left out until it is read.
        var hasUnseenProgress = false
    }

    /// Frames that may wait for the recogniser, 10 s; further ones are lost.
    static let mostWaiting = 160_000

    private let state = Mutex(State())
    private let leases: [Lease]
    private let recognition: any RecognitionSession
    private let tee: SessionTee
    private let presence: @Sendable () -> Presence
    private let report: @Sendable (SessionInput) -> Void

    /// - Parameter presence: called for every batch of frames.
    init(
        leases: [Lease], recognition: any RecognitionSession, tee: SessionTee,
        presence: @escaping @Sendable () -> Presence, report: @escaping @Sendable (SessionInput) -> Void
    ) {
        self.leases = leases
        self.recognition = recognition
        self.tee = tee
        self.presence = presence
        self.report = report
    }

    /// Frames captured so far.
    var frames: Int64 { state.withLock { $0.frames } }

    /// While suspended, frames are dropped.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set { state.withLock { $0.isSuspended = newValue } }
    }

    func progressWasSeen() { state.withLock { $0.hasUnseenProgress = false } }

    /// Runs until the stream ends and the recogniser has taken the accepted frames.
    func run(_ stream: any CaptureStream) async {
        // `mostWaiting` bounds it; an event must not be lost.
        let (accepted, queue) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .unbounded)
        async let feeding: Void = feed(accepted)
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
            case .overrun, .deviceLost, .deviceReturned, .failed: queue.yield(.report(.capture(event)))
            }
        }
        queue.finish()
        await feeding
    }

    private func feed(_ accepted: AsyncStream<Item>) async {
        for await item in accepted {
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

    /// - Returns: the frames, the gap that ends an utterance, or nothing.
    private func decide(_ frames: Frames) -> Frames? {
        let presence = presence()
        let mayListen = leases.allSatisfy { $0.allowsListening(in: presence) }
        let count = frames.samples.count
        let (heard, news) = state.withLock { state -> (Frames?, [SessionInput]) in
            state.frames += Int64(count)
            var news: [SessionInput] = []
            if state.isInBackground == mayListen {
                state.isInBackground = !mayListen
                news.append(mayListen ? .returned : .wentToBackground)
            }
            if !mayListen || state.isSuspended { return (Self.gap(&state, over: frames), news) }
            guard state.waiting + count <= Self.mostWaiting else {
                return (nil, news + [.capture(.overrun(lostFrames: Int64(count)))])
            }
            state.origin = state.origin ?? frames.position
            state.hasSentGap = false
            state.waiting += count
            return (frames, news)
        }
        for input in news { report(input) }
        return heard
    }

    /// Ends the utterance before a pause, so that its text does not wait for later speech: a single silent sample at the end
    /// of the dropped frames, before which the recogniser finds a gap.
    private static func gap(_ state: inout State, over frames: Frames) -> Frames? {
        guard !state.hasSentGap, frames.samples.count > 1 else { return nil }
        state.hasSentGap = true
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

/// The inputs of a session, in one queue, so that one loop handles them in order.
enum SessionInput: Sendable {
    /// Seconds of audio captured so far, and the level of the last tenth of a second.
    case progress(seconds: Double, decibels: Double)
    /// All but frames.
    case capture(CaptureEvent)
    /// The client is in the background, where it may not listen.
    case wentToBackground
    case returned
    case recognition(RecognitionEvent)
    /// The recogniser's events ended without `finished` or `failed`.
    case recognitionEnded
    case control(SessionControl)
    case leaseEnded(LeaseEnding)
    case abandoned(DictationEnding)
}

/// Measures loudness over tenths of a second of 16 kHz mono.
struct LevelMeter {
    /// Frames in a tenth of a second.
    static let window = 1_600
    /// In dBFS, below the smallest step of 16 bits (−90.3).
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
