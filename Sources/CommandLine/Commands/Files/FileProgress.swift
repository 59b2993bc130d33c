/// How far the transcription of a file is, and whether anything was recognised.
struct FileProgress: Sendable {
    /// Seconds whose text an earlier run has written.
    let from: Double
    /// Seconds that are done.
    private(set) var seconds = 0.0
    private(set) var duration: Double?
    /// Whether anything was recognised.
    var hasText = false
    /// When the part began that no earlier run has done, and where it is now.
    private var began: (seconds: Double, at: ContinuousClock.Instant)?
    private var now: ContinuousClock.Instant?

    init(from: Double) { self.from = from }

    mutating func advance(to seconds: Double, of duration: Double?, at now: ContinuousClock.Instant) {
        (self.seconds, self.duration, self.now) = (seconds, duration, now)
        // What an earlier run has done is read again, much faster.
        if began == nil, seconds >= from { began = (seconds, now) }
    }

    /// `nil` if unknown: the duration that a file declares can be wrong.
    var percent: Int? {
        guard let duration, duration > 0, seconds <= duration + 1 else { return nil }
        return Int(min(100 * seconds / duration, 100))
    }

    /// Seconds at the present speed; `nil` until that is known.
    var left: Double? {
        guard let began, let now, let duration, seconds > began.seconds, seconds <= duration else { return nil }
        let elapsed = began.at.duration(to: now) / .seconds(1)
        return elapsed >= 2 ? (duration - seconds) * elapsed / (seconds - began.seconds) : nil
    }

    /// `1:02:03`, `2:03`.
    static func clock(_ seconds: Double) -> String {
        let seconds = Int(min(max(seconds, 0), 1e9).rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
    }
}
