import Authorization
import Glibc
import Logging
import Speech

/// Runs a stream on its thread: reads, recovers, opens again, and ends.
struct CaptureLoop {
    let device: ALSADeviceName
    let onLoss: DeviceLossBehavior
    let lease: Lease
    let control: CaptureControl
    let queue: CaptureQueue
    let timing: CaptureTiming
    let logger: Logger

    /// When the last frame was read, by the clock that leaves out the machine's sleep.
    private(set) var lastRead: Int64 = 0
    /// For how long the machine had slept since it started, when that was last counted.
    private(set) var lastAsleep: Int64 = 0
    private(set) var restarts = 0
    private(set) var framesSinceRestart: Int64 = 0
    private(set) var backOff: Int32 = 0

    private enum Interruption {
        /// Stopped, or the permission ended.
        case ended
        case absent(Absence)
        case lost(CaptureError)
        /// Opening it again may help.
        case broken(CaptureError)
    }

    /// Returns when the device is closed and the last event is queued.
    mutating func run(_ first: consuming PCM) {
        let start = timing.clock()
        (lastRead, lastAsleep) = (start.awake, start.asleep)
        backOff = timing.firstBackOff
        let identity = first.identity
        var current: PCM? = first
        while var pcm = current.take() {
            let interruption = capture(from: &pcm)
            if control.requestedStop == .delivering { deliverRest(of: &pcm) }
            // Closes the device before anything else: `pcm` was the only owner.
            _ = consume pcm
            current = continuation(after: interruption)
            if let now = current?.identity, now != identity {
                logger.warning(
                    "The device name refers to another microphone now.",
                    metadata: ["device": "\(device)", "was": "\(identity)", "is": "\(now)"])
            }
        }
    }

    private var mustEnd: Bool { control.requestedStop != nil || !lease.isLive }

    private mutating func capture(from pcm: inout PCM) -> Interruption {
        var consecutiveErrors = 0
        var lastData = timing.clock().awake
        while !mustEnd {
            if let absence = lease.absence { return .absent(absence) }
            var failure: Int32 = 0
            switch pcm.wait(wake: control.wake, milliseconds: timing.watchdog) {
            case .woken:
                control.wake.drain()
                continue
            case .timeout, .nothing: break
            case .failed(let error): failure = error
            case .data:
                do throws(PCM.Failure) {
                    while !mustEnd, lease.absence == nil {
                        let samples = try pcm.read()
                        if samples.isEmpty { break }
                        deliver(samples)
                        lastData = lastRead
                        consecutiveErrors = 0
                    }
                } catch { failure = error.errorNumber }
            }
            if failure == 0 {
                if timing.clock().awake - lastData >= Int64(timing.watchdog) * 1_000_000 {
                    return .broken(.stalled(device.text))
                }
                continue
            }
            consecutiveErrors += 1
            if failure == -ENODEV { return .lost(.lost(device.text, error: failure)) }
            guard consecutiveErrors < timing.consecutiveErrors else {
                return .broken(.broken(device.text, error: failure))
            }
            do throws(PCM.Failure) {
                if try pcm.recover(from: failure, wake: control.wake) { continue }
            } catch {
                return error.errorNumber == -ENODEV
                    ? .lost(.lost(device.text, error: -ENODEV))
                    : .broken(.broken(device.text, error: error.errorNumber))
            }
            let lost = skipLostFrames()
            queue.append(failure == -ESTRPIPE ? .asleep(frames: lost) : .overrun(lostFrames: lost))
        }
        return .ended
    }

    /// What the device has captured and the loop has not read: at most its buffer.
    private mutating func deliverRest(of pcm: inout PCM) {
        var rest = Int(PCM.deviceBuffer)
        while rest > 0, lease.isLive, let samples = try? pcm.read(), !samples.isEmpty {
            deliver(samples)
            rest -= samples.count
        }
    }

    /// The queue drops them if the permission has ended or a stop was requested.
    private mutating func deliver(_ samples: [Int16]) {
        let now = timing.clock()
        skipSleep(to: now)
        queue.append(.frames(Frames(samples: samples, position: control.captured)))
        control.captured += Int64(samples.count)
        lastRead = now.awake
        framesSinceRestart += Int64(samples.count)
        if framesSinceRestart >= timing.framesUntilTrusted {
            restarts = 0
            backOff = timing.firstBackOff
        }
    }

    /// By the clock: the device does not report the number, and its unread buffer is dropped.
    private mutating func skipLostFrames() -> Int64 {
        let now = timing.clock()
        skipSleep(to: now)
        let lost = max(1, (now.awake - lastRead) / Self.nanosecondsOfFrame)
        control.captured += lost
        lastRead = now.awake
        return lost
    }

    /// While the machine sleeps, time goes on without frames. Not every driver reports a suspend.
    private mutating func skipSleep(to now: CaptureClock.Reading) {
        let frames = (now.asleep - lastAsleep) / Self.nanosecondsOfFrame
        // A tenth of a second: no machine sleeps less, and the two clocks are not read at one instant.
        guard frames >= Int64(PCM.rate) / 10 else { return }
        lastAsleep = now.asleep
        control.captured += frames
        queue.append(.asleep(frames: frames))
    }

    private static let nanosecondsOfFrame = 1_000_000_000 / Int64(PCM.rate)

    /// - Returns: the device opened again, or `nil` if the stream has ended.
    private mutating func continuation(after interruption: Interruption) -> PCM? {
        switch interruption {
        case .ended:
            return end()
        case .absent(let absence):
            return awaitUser(after: absence)
        case .broken(let error):
            logger.notice("\(error)", metadata: ["errno": "\(error.errorNumber)"])
            while restarts < timing.restarts {
                restarts += 1
                if pause() { return end() }
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

    /// With the device closed.
    private mutating func awaitUser(after absence: Absence) -> PCM? {
        queue.append(.paused(absence))
        while !mustEnd, lease.absence != nil {
            _ = control.wake.isWoken(milliseconds: -1)
            control.wake.drain()
        }
        if mustEnd { return end() }
        skipAbsence()
        queue.append(.resumed)
        backOff = timing.firstBackOff
        for _ in 0..<max(1, timing.restarts) {
            if let pcm = reopened() { return pcm }
            // A device may need a moment after the machine's sleep.
            if pause() { return end() }
        }
        return awaitReturn(after: .lost(device.text, error: -ENODEV))
    }

    /// Time went on without frames.
    private mutating func skipAbsence() {
        let now = timing.clock()
        control.captured += max(0, now.awake - lastRead + now.asleep - lastAsleep) / Self.nanosecondsOfFrame
        (lastRead, lastAsleep) = (now.awake, now.asleep)
    }

    private mutating func awaitReturn(after error: CaptureError) -> PCM? {
        guard onLoss == .wait else {
            guard lease.isLive else { return end() }
            queue.close(.failed(error))
            return nil
        }
        queue.append(.deviceLost(error))
        while !pause() {
            guard lease.absence == nil, let pcm = reopened() else { continue }
            _ = skipLostFrames()
            queue.append(.deviceReturned)
            return pcm
        }
        return end()
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

    /// - Returns: whether the stream was stopped or the permission ended.
    private mutating func pause() -> Bool {
        let isWoken = control.wake.isWoken(milliseconds: backOff)
        if isWoken { control.wake.drain() }
        backOff = min(backOff * 2, timing.longestBackOff)
        return mustEnd
    }

    private func end() -> PCM? {
        switch control.requestedStop {
        case .dropping: queue.drop()
        case .delivering where lease.isLive: queue.close(nil)
        case .delivering, nil: queue.fail(.failed(.permissionEnded(device.text)))
        }
        return nil
    }
}

/// The timeouts of a capture, in milliseconds, and its clock.
struct CaptureTiming: Sendable {
    var clock: @Sendable () -> CaptureClock.Reading = CaptureClock.read
    /// For opening a device. A Bluetooth headset needs seconds to change its profile.
    var opening = 10_000
    /// For closing it.
    var closing = 5_000
    /// A device that delivers no data for this long is opened again. A sound server may take a second to wake a microphone.
    var watchdog: Int32 = 3_000
    /// The first and the longest delay before a device is opened again; each is twice the one before.
    var firstBackOff: Int32 = 100
    var longestBackOff: Int32 = 2_000
    /// How often a device with errors is opened again before it counts as broken.
    var restarts = 3
    /// Errors without a frame between them after which recovery is useless: a killed PipeWire returns EPIPE and “recovers”
    /// forever.
    var consecutiveErrors = 3
    /// Frames without an error after which earlier errors are forgotten.
    var framesUntilTrusted: Int64 = 160_000
    /// Frames that may wait for a slow reader: 30 s.
    var framesInQueue = 480_000
}

/// The machine's clocks (clock_gettime(2)): CLOCK_MONOTONIC stops while it sleeps, CLOCK_BOOTTIME does not.
enum CaptureClock {
    struct Reading: Sendable {
        /// CLOCK_MONOTONIC in nanoseconds.
        let awake: Int64
        /// For how long the machine has slept since it started, in nanoseconds.
        let asleep: Int64
    }

    @Sendable static func read() -> Reading {
        var awake = nanoseconds(CLOCK_MONOTONIC)
        // Again if the thread did not run between the two, which would look like sleep.
        for _ in 0..<8 {
            let total = nanoseconds(CLOCK_BOOTTIME)
            let later = nanoseconds(CLOCK_MONOTONIC)
            defer { awake = later }
            if later - awake < 1_000_000 { return Reading(awake: later, asleep: max(0, total - later)) }
        }
        return Reading(awake: awake, asleep: max(0, nanoseconds(CLOCK_BOOTTIME) - nanoseconds(CLOCK_MONOTONIC)))
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
