import Authorization

/// On whose behalf VoiceGate's command line was started.
public enum ResponsibleProgram: Sendable {
    /// The person's own: nothing stands between it and the terminal.
    case itself
    /// The program that started it. `Caller.process` is that program's own.
    case program(Caller)
    /// One that has ended, or that cannot be looked at.
    case unknown
}
