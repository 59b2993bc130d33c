/// How long to wait after a failure: longer after each, at random, so that a thousand hosts do not come back together.
struct BackOff: Sendable {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(300)

    private var next = first
    private let random: @Sendable (ClosedRange<Double>) -> Double

    init(random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }) { self.random = random }

    /// Call it after a success.
    mutating func reset() { next = Self.first }

    /// - Returns: from half to the whole of the time of this failure; not less than the collector asks for, and then up to a
    ///   quarter more.
    mutating func pause(after error: SenderError) -> Duration {
        // Nothing but an administrator helps.
        if [.refused, .inconsistent, .notEnrolled].contains(error.code) { next = Self.longest }
        let own = next * random(0.5...1)
        next = min(next * 2, Self.longest)
        guard let asked = error.retryAfter else { return own }
        return max(own, asked * random(1...1.25))
    }
}
