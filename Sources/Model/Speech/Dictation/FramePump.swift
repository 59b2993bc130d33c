import Authorization
import Foundation
import Synchronization

/// Passes frames from the device to the recogniser: none after a permission has ended, and none that were captured while the
/// session may not listen. Each batch is decided on when it comes from the device, however slow the recogniser is, and every
/// frame of the device's time is counted once.
final class FramePump: Sendable {
    private enum Item: Sendable {
        case frames(Frames, ListeningGround)
        /// The utterance ends: no audio until this position.
        case gap(until: Int64)
        case report(SessionInput)
    }

    private struct State {
        var account = CaptureAccount()
        var isSuspended = false
        var isInBackground = false
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

    /// Frames whose sound may be reported, 10 s: for trying a microphone, not for recording.
    private static let mostReported = 160_000

    private let state = Mutex(State())
    private let leases: [Lease]
    private let recognition: any RecognitionSession
    private let tee: SessionTee
    private let presence: @Sendable () async -> Presence
    private let reportsSound: Bool
    private let report: @Sendable (SessionInput) -> Void

    /// - Parameters:
    ///   - presence: called for every batch of frames.
    ///   - reportsSound: whether the frames that the recogniser takes are reported.
    init(
        leases: [Lease], recognition: any RecognitionSession, tee: SessionTee,
        presence: @escaping @Sendable () async -> Presence, reportsSound: Bool = false,
        report: @escaping @Sendable (SessionInput) -> Void
    ) {
        self.leases = leases
        self.recognition = recognition
        self.tee = tee
        self.presence = presence
        self.reportsSound = reportsSound
        self.report = report
    }

    /// The session's account, when `run` has returned.
    ///
    /// - Parameter captured: the device's time to its end, in frames. Frames that the pump did not get were dropped.
    func account(to captured: Int64) -> ListeningAccount {
        state.withLock { $0.account.account(to: captured, droppingRest: dropReason) }
    }

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
        var watch = SoundWatch()
        for await event in stream.events {
            state.withLock { $0.account.note(event) }
            switch event {
            case .frames(let frames):
                guard let item = await decide(frames) else { continue }
                if case .frames = item {
                    let levels = meter.levels(of: frames.samples)
                    if let level = levels.last { reportProgress(to: frames, level) }
                    if let loudest = watch.silence(after: levels) { report(.noSound(decibels: loudest)) }
                }
                queue.yield(item)
            case .deviceLost, .paused:
                // The text of what was heard must not wait for the device, which returns at a later position.
                if let gap = state.withLock({ Self.gap(&$0, until: $0.account.end + 1) }) { queue.yield(gap) }
                queue.yield(.report(.capture(event)))
            case .overrun, .asleep, .deviceReturned, .resumed, .failed: queue.yield(.report(.capture(event)))
            }
        }
        queue.finish()
        await feeding
    }

    private func feed(_ accepted: AsyncStream<Item>) async {
        var reportable = reportsSound ? Self.mostReported : 0
        for await item in accepted {
            switch item {
            case .frames(let frames, let ground):
                let count = frames.samples.count
                state.withLock { $0.waiting -= count }
                var isTaken = false
                if areLive {
                    tee.heard(frames)
                    isTaken = await recognition.accept(frames)
                    if isTaken, reportable > 0 {
                        report(.heard(frames.samples))
                        reportable -= count
                    }
                }
                state.withLock { $0.account.add(count, as: isTaken ? .heard(ground) : .dropped(dropReason)) }
            case .gap(let position): if areLive { await recognition.skip(to: position) }
            case .report(let input): report(input)
            }
        }
    }

    private var areLive: Bool { leases.allSatisfy(\.isLive) }

    /// Why frames that may have been heard were not.
    private var dropReason: DropReason { areLive ? .sessionEnded : .permissionEnded }

    /// - Returns: the frames, the gap that ends an utterance, or nothing.
    private func decide(_ frames: Frames) async -> Item? {
        let presence = await presence()
        let grounds = leases.compactMap { $0.ground(in: presence) }
        // All must allow it.
        let ground = grounds.count == leases.count ? grounds.first : nil
        let count = frames.samples.count
        let (item, news) = state.withLock { state -> (Item?, [SessionInput]) in
            guard areLive else {
                state.account.add(count, as: .dropped(.permissionEnded))
                return (nil, [])
            }
            // Captured before the device was closed.
            guard leases.allSatisfy({ $0.absence == nil }) else {
                state.account.add(count, as: .dropped(.background))
                return (Self.gap(&state, until: state.account.end), [])
            }
            var news: [SessionInput] = []
            if state.isInBackground == (ground != nil) {
                state.isInBackground = ground == nil
                news.append(ground == nil ? .wentToBackground : .returned)
            }
            guard let ground, !state.isSuspended else {
                state.account.add(count, as: state.isSuspended ? .suspended : .dropped(.background))
                return (Self.gap(&state, until: state.account.end), news)
            }
            guard state.waiting + count <= Self.mostWaiting else {
                state.account.add(count, as: .dropped(.overrun))
                return (nil, news + [.capture(.overrun(lostFrames: Int64(count)))])
            }
            state.origin = state.origin ?? frames.position
            state.hasSentGap = false
            state.waiting += count
            return (.frames(frames, ground), news)
        }
        for input in news { report(input) }
        return item
    }

    /// Ends the utterance before a pause, so that its text does not wait for later speech.
    private static func gap(_ state: inout State, until position: Int64) -> Item? {
        guard !state.hasSentGap else { return nil }
        state.hasSentGap = true
        return .gap(until: position)
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
    /// The loudest tenth of a second of the beginning.
    case noSound(decibels: Double)
    case heard([Int16])
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

/// Detects a microphone that gives no sound from the beginning, such as one that is muted. One that was heard once works: what is quiet
/// afterwards is a quiet room, or a device that suppresses noise.
struct SoundWatch {
    /// dBFS. A working microphone in a quiet room is louder.
    static let floor = -75.0
    /// Seconds without sound until it is reported.
    static let limit = 5.0

    /// Tenths of a second so far; `nil`: sound was heard, or its absence reported.
    private var windows: Int? = 0
    private var loudest = LevelMeter.silence

    /// - Parameter levels: of the next tenths of a second, in dBFS.
    /// - Returns: the loudest level, once, if there was no sound for long enough.
    mutating func silence(after levels: [Double]) -> Double? {
        guard let before = windows, !levels.isEmpty else { return nil }
        loudest = max(loudest, levels.max() ?? loudest)
        let count = before + levels.count
        let isOver = count * LevelMeter.window >= Int(Self.limit * 16_000)
        windows = loudest > Self.floor || isOver ? nil : count
        return isOver && loudest <= Self.floor ? loudest : nil
    }
}
