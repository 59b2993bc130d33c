import Authorization
import Glibc
import Logging
import Speech

/// The life of a stream on its thread: reads, recovers, opens again, and ends.
struct CaptureLoop {
    let device: ALSADeviceName
    let onLoss: DeviceLossBehavior
    let lease: Lease
    let control: CaptureControl
    let queue: CaptureQueue
    let timing: CaptureTiming
    let logger: Logger

    /// Index of the next frame, lost frames counted.
    private var position: Int64 = 0
    /// When the frame before that one was taken.
    private var lastTaken = MonotonicMoment.now()
    private var restarts = 0
    private var framesSinceRestart: Int64 = 0
    private var backOff: Int32

    init(
        device: ALSADeviceName, onLoss: DeviceLossBehavior, lease: Lease, control: CaptureControl, queue: CaptureQueue,
        timing: CaptureTiming, logger: Logger
    ) {
        self.device = device
        self.onLoss = onLoss
        self.lease = lease
        self.control = control
        self.queue = queue
        self.timing = timing
        self.logger = logger
        backOff = timing.firstBackOff
    }

    private enum Interruption {
        /// Stopped, or the permission ended.
        case asked
        /// The device is not there any more.
        case lost(CaptureError)
        /// Opening it again may help.
        case broken(CaptureError)
    }

    /// Returns when the device is closed and the last event is in the queue.
    mutating func run(_ first: consuming PCM) {
        lastTaken = MonotonicMoment.now()
        let identity = first.identity
        var current: PCM? = first
        while var pcm = current.take() {
            let interruption = capture(from: &pcm)
            // Closed before anything else is tried or told: `pcm` was the only owner.
            _ = consume pcm
            current = continuation(after: interruption)
            if let now = current?.identity, now != identity {
                logger.warning(
                    "Another microphone answers to the same name.",
                    metadata: ["device": "\(device)", "was": "\(identity)", "is": "\(now)"])
            }
        }
    }

    private var isAsked: Bool { control.isStopping || !lease.isLive }

    private mutating func capture(from pcm: inout PCM) -> Interruption {
        var errorsInARow = 0
        var lastData = MonotonicMoment.now()
        while !isAsked {
            var failure: Int32 = 0
            switch pcm.wait(wake: control.wake, milliseconds: timing.watchdog) {
            case .asked: return .asked
            case .timeout, .nothing: break
            case .failed(let error): failure = error
            case .data:
                do throws(PCM.Failure) {
                    while !isAsked {
                        let samples = try pcm.read()
                        if samples.isEmpty { break }
                        handOn(samples)
                        lastData = lastTaken
                        errorsInARow = 0
                    }
                } catch { failure = error.errorNumber }
            }
            if failure == 0 {
                if lastData.milliseconds(until: MonotonicMoment.now()) >= Int64(timing.watchdog) {
                    return .broken(.stalled(device.text))
                }
                continue
            }
            errorsInARow += 1
            if failure == -ENODEV { return .lost(.lost(device.text, error: failure)) }
            guard errorsInARow < timing.errorsInARow else { return .broken(.broken(device.text, error: failure)) }
            do throws(PCM.Failure) {
                if case .asked = try pcm.recover(from: failure, wake: control.wake) { return .asked }
            } catch {
                return error.errorNumber == -ENODEV
                    ? .lost(.lost(device.text, error: -ENODEV))
                    : .broken(.broken(device.text, error: error.errorNumber))
            }
            queue.append(.overrun(lostFrames: skipLostFrames()))
        }
        return .asked
    }

    private mutating func handOn(_ samples: [Int16]) {
        guard !isAsked else { return }
        queue.append(.frames(Frames(samples: samples, position: position)))
        position += Int64(samples.count)
        lastTaken = MonotonicMoment.now()
        framesSinceRestart += Int64(samples.count)
        if framesSinceRestart >= timing.framesUntilTrusted {
            restarts = 0
            backOff = timing.firstBackOff
        }
    }

    /// The clock tells how much was missed: the device does not know, and its unread buffer is thrown away.
    private mutating func skipLostFrames() -> Int64 {
        let now = MonotonicMoment.now()
        let lost = max(1, lastTaken.nanoseconds(until: now) / (1_000_000_000 / Int64(PCM.rate)))
        position += lost
        lastTaken = now
        return lost
    }

    /// - Returns: the device opened again, or `nil` when the stream has ended.
    private mutating func continuation(after interruption: Interruption) -> PCM? {
        switch interruption {
        case .asked:
            end()
            return nil
        case .broken(let error):
            logger.notice("\(error)", metadata: ["errno": "\(error.errorNumber)"])
            while restarts < timing.restarts {
                restarts += 1
                if pause() { return endNow() }
                if let pcm = reopened() {
                    queue.append(.overrun(lostFrames: skipLostFrames()))
                    return pcm
                }
            }
            return awaitReturn(after: error)
        case .lost(let error):
            return awaitReturn(after: error)
        }
    }

    private mutating func awaitReturn(after error: CaptureError) -> PCM? {
        guard onLoss == .wait else {
            if lease.isLive { queue.finishAfterFrames(.failed(error)) } else { end() }
            return nil
        }
        queue.append(.deviceLost(error))
        while !pause() {
            guard let pcm = reopened() else { continue }
            _ = skipLostFrames()
            queue.append(.deviceReturned)
            return pcm
        }
        return endNow()
    }

    private mutating func reopened() -> PCM? {
        framesSinceRestart = 0
        PCMDefinition.forgetConfiguration()
        do throws(CaptureError) {
            return try PCM.open(device)
        } catch {
            logger.debug("\(error)", metadata: ["errno": "\(error.errorNumber)"])
            return nil
        }
    }

    /// - Returns: whether the stream was stopped or the permission ended meanwhile.
    private mutating func pause() -> Bool {
        let asked = control.wake.wait(milliseconds: backOff)
        backOff = min(backOff * 2, timing.longestBackOff)
        return asked || isAsked
    }

    private func endNow() -> PCM? {
        end()
        return nil
    }

    private func end() {
        queue.finish(lease.isLive || control.isStopping ? nil : .failed(.permissionEnded(device.text)))
    }
}

/// How patient a capture is. Times in milliseconds.
struct CaptureTiming: Sendable {
    /// How long opening a device may take. A Bluetooth headset needs seconds to change its profile.
    var opening = 10_000
    /// A running device that delivers nothing for this long is opened again. A sound server may take a second to wake
    /// a microphone that slept.
    var watchdog: Int32 = 3_000
    /// The first and the longest pause before a device is opened again; each is twice the one before.
    var firstBackOff: Int32 = 100
    var longestBackOff: Int32 = 2_000
    /// How often a device that answers with errors is opened again before it counts as dead.
    var restarts = 3
    /// Errors in a row without a frame between them after which recovering has no sense any more: a killed PipeWire
    /// answers EPIPE and “recovers” for ever.
    var errorsInARow = 3
    /// After this many frames without trouble, earlier trouble is forgotten.
    var framesUntilTrusted: Int64 = 160_000
    /// Frames that may wait for a reader that does not keep up: 30 s.
    var framesInQueue = 480_000
}

/// A moment of CLOCK_MONOTONIC.
struct MonotonicMoment {
    let nanoseconds: Int64

    static func now() -> MonotonicMoment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicMoment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    func nanoseconds(until later: MonotonicMoment) -> Int64 { later.nanoseconds - nanoseconds }
    func milliseconds(until later: MonotonicMoment) -> Int64 { nanoseconds(until: later) / 1_000_000 }
}
