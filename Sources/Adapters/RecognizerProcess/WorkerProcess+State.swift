extension WorkerProcess {
    enum State {
        case loading(since: ContinuousClock.Instant)
        case warm(since: ContinuousClock.Instant)
        case serving(ServedSession)
        /// Its work is over or it was told to end; only its exit is waited for.
        case ending
    }
}
