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

    /// Index of the next frame, including lost frames.
    private(set) var position: Int64 = 0
    /// When the frame before it was read.
    private(set) var lastRead = monotonicTime()
    private(set) var restarts = 0
    private(set) var framesSinceRestart: Int64 = 0
    private(set) var backOff: Int32 = 0

    private enum Interruption {
        /// Stopped, or the permission ended.
        case ended
        case lost(CaptureError)
        /// Opening it again may help.
        case broken(CaptureError)
    }

    /// Returns when the device is closed and the last event is queued.
    mutating func run(_ first: consuming PCM) {
        lastRead = monotonicTime()
        backOff = timing.firstBackOff
        let identity = first.identity
        var current: PCM? = first
        while var pcm = current.take() {
            let interruption = capture(from: &pcm)
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

    private var mustEnd: Bool { control.isStopping || !lease.isLive }

    private mutating func capture(from pcm: inout PCM) -> Interruption {
        var consecutiveErrors = 0
        var lastData = monotonicTime()
        while !mustEnd {
            var failure: Int32 = 0
            switch pcm.wait(wake: control.wake, milliseconds: timing.watchdog) {
            case .woken: return .ended
            case .timeout, .nothing: break
            case .failed(let error): failure = error
            case .data:
                do throws(PCM.Failure) {
                    while !mustEnd {
                        let samples = try pcm.read()
                        if samples.isEmpty { break }
                        deliver(samples)
                        lastData = lastRead
                        consecutiveErrors = 0
                    }
                } catch { failure = error.errorNumber }
            }
            if failure == 0 {
                if monotonicTime() - lastData >= Int64(timing.watchdog) * 1_000_000 {
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
                if try pcm.recover(from: failure, wake: control.wake) { return .ended }
            } catch {
                return error.errorNumber == -ENODEV
                    ? .lost(.lost(device.text, error: -ENODEV))
                    : .broken(.broken(device.text, error: error.errorNumber))
            }
            queue.append(.overrun(lostFrames: skipLostFrames()))
        }
        return .ended
    }

    private mutating func deliver(_ samples: [Int16]) {
        guard !mustEnd else { return }
        queue.append(.frames(Frames(samples: samples, position: position)))
        position += Int64(samples.count)
        lastRead = monotonicTime()
        framesSinceRestart += Int64(samples.count)
        if framesSinceRestart >= timing.framesUntilTrusted {
            restarts = 0
            backOff = timing.firstBackOff
        }
    }

    /// By the clock: the device does not report the number, and its unread buffer is dropped.
    private mutating func skipLostFrames() -> Int64 {
        let now = monotonicTime()
        let lost = max(1, (now - lastRead) / (1_000_000_000 / Int64(PCM.rate)))
        position += lost
        lastRead = now
        return lost
    }

    /// - Returns: the device opened again, or `nil` if the stream has ended.
    private mutating func continuation(after interruption: Interruption) -> PCM? {
        switch interruption {
        case .ended:
            return end()
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

    private mutating func awaitReturn(after error: CaptureError) -> PCM? {
        guard onLoss == .wait else {
            guard lease.isLive else { return end() }
            queue.finishAfterFrames(.failed(error))
            return nil
        }
        queue.append(.deviceLost(error))
        while !pause() {
            guard let pcm = reopened() else { continue }
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
        backOff = min(backOff * 2, timing.longestBackOff)
        return isWoken || mustEnd
    }

    private func end() -> PCM? {
        queue.finish(lease.isLive || control.isStopping ? nil : .failed(.permissionEnded(device.text)))
        return nil
    }
}

/// The timeouts of a capture, in milliseconds.
struct CaptureTiming: Sendable {
    /// For opening a device. A Bluetooth headset needs seconds to change its profile.
    var opening = 10_000
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

/// CLOCK_MONOTONIC in nanoseconds.
func monotonicTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
