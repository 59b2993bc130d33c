import Authorization
import SocketAPI

/// The line at a terminal that says how far a file is.
struct FileProgressLine {
    private let output: Output
    private let file: String
    private let number: Int
    private let count: Int
    private var first: (seconds: Double, at: ContinuousClock.Instant)?

    /// - Parameter number: of the file, of so many; the first is 1.
    init(_ output: Output, file: String, number: Int, of count: Int) {
        self.output = output
        self.file = file
        self.number = number
        self.count = count
    }

    mutating func tell(_ seconds: Double, of duration: Double?, at now: ContinuousClock.Instant = .now) {
        guard output.isLive else { return }
        let began = first ?? (seconds, now)
        first = began
        output.live(
            Language.ofPerson.commandWording.transcribing(
                file, part: count > 1 ? (number, count) : nil, done: Self.clock(seconds),
                percent: duration.flatMap { Self.percent(seconds, of: $0) },
                left: duration.flatMap { duration in
                    Self.left(seconds, of: duration, since: began.seconds, taking: began.at.duration(to: now))
                }.map(Self.clock)))
    }

    /// `nil` when the file's length cannot be right.
    static func percent(_ seconds: Double, of duration: Double) -> Int? {
        duration > 0 && seconds <= duration + 1 ? Int(min(100 * seconds / duration, 100)) : nil
    }

    /// Seconds that the rest will take at the pace so far; `nil` while that is a guess.
    static func left(_ seconds: Double, of duration: Double, since start: Double, taking time: Duration) -> Double? {
        let elapsed = time / .seconds(1)
        guard elapsed >= 2, seconds > start, seconds <= duration else { return nil }
        return (duration - seconds) * elapsed / (seconds - start)
    }

    /// `1:02:03`, `2:03`.
    static func clock(_ seconds: Double) -> String {
        let seconds = Int(min(max(seconds, 0), 1e9).rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
    }
}
