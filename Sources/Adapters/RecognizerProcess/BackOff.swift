import Speech

/// How long to wait before the next worker is started when the last ones died while they loaded.
struct BackOff {
    private let longest: Duration
    private var failures = 0
    private(set) var lastError: RecognitionError?
    private var lastAttempt: ContinuousClock.Instant?

    init(longest: Duration) {
        self.longest = longest
    }

    var isFailing: Bool { failures > 0 }

    /// When the next attempt of our own may begin, or `nil`: at once.
    var next: ContinuousClock.Instant? {
        guard failures > 0, let lastAttempt else { return nil }
        return lastAttempt + min(longest, .milliseconds(250) * (1 << min(failures, 12)))
    }

    /// Somebody asks: what was wrong may have been mended, so that one try a second is fair.
    func allowsOnDemand(at now: ContinuousClock.Instant) -> Bool {
        guard failures > 0, let lastAttempt else { return true }
        return now >= lastAttempt + .seconds(1)
    }

    mutating func failed(_ error: RecognitionError, at now: ContinuousClock.Instant) {
        failures += 1
        lastError = error
        lastAttempt = now
    }

    mutating func succeeded() {
        failures = 0
        lastError = nil
    }
}
