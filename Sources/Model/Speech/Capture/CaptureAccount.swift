import Authorization

/// Counts the time of one capture. Its reader reports each event as it comes, and each frame's kind when that is known.
public struct CaptureAccount: Sendable {
    private var account = ListeningAccount()
    /// Position after the last frame that was reported.
    public private(set) var end: Int64 = 0
    /// The device was lost, or is closed; the time until its next frame is a pause.
    private var isLost = false
    /// Frames of the next gap in which the machine slept.
    private var asleep: Int64 = 0

    public init() {}

    /// Counts the gap before frames, by their position; not the frames themselves.
    public mutating func note(_ event: CaptureEvent) {
        switch event {
        case .frames(let frames):
            let gap = max(0, frames.position - end)
            let paused = isLost ? gap : min(gap, asleep)
            account.add(paused, as: .paused)
            account.add(gap - paused, as: .dropped(.overrun))
            end = max(end, frames.position) + Int64(frames.samples.count)
            (isLost, asleep) = (false, 0)
        case .asleep(let frames): asleep += frames
        case .deviceLost, .paused: isLost = true
        case .overrun, .deviceReturned, .resumed, .failed: break
        }
    }

    public mutating func add(_ count: Int, as kind: ListeningAccount.Kind) { account.add(Int64(count), as: kind) }

    /// - Parameters:
    ///   - captured: the device's time to its end, as the stream reports it.
    ///   - reason: why frames were dropped that the reader did not get.
    public func account(to captured: Int64, droppingRest reason: DropReason) -> ListeningAccount {
        var account = account
        account.add(captured - end, as: .dropped(reason))
        return account
    }
}
