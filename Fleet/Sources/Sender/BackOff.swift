/// How long to wait after a failure: longer after each, at random, so that a thousand hosts do not come back together.
struct BackOff: Sendable {
    private static let longest = Duration.seconds(300)

    private let first: Duration
    private var next: Duration
    private let random: @Sendable (ClosedRange<Double>) -> Double

    init(
        first: Duration = .seconds(1),
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) {
        (self.first, next, self.random) = (first, first, random)
    }

    /// Call it after a success.
    mutating func reset() { next = first }

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
