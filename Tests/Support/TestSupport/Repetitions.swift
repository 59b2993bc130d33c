import Foundation

/// How often tests with random sequences, kills and power cuts repeat: few times in `make test`, many in `make soak`, which
/// sets the environment.
public enum Repetitions {
    /// Operations on a gate beside its reference model.
    public static var gateOperations: Int { value("VOICEGATE_RANDOM_OPERATIONS", default: 20_000) }
    /// Denials while 32 sessions run.
    public static var revocations: Int { value("VOICEGATE_REVOCATIONS", default: 100) }
    /// Kills of the service.
    public static var kills: Int { value("VOICEGATE_KILL_ROUNDS", default: 8) }
    /// Power cuts of a consent log.
    public static var powerCuts: Int { value("VOICEGATE_POWER_CUTS", default: 30) }
    /// Kills of a process that writes a consent log.
    public static var logKills: Int { value("VOICEGATE_LOG_KILLS", default: 15) }
    /// Rounds of sessions before and during which a service's memory is compared.
    public static var soakRounds: Int { value("VOICEGATE_SOAK_ROUNDS", default: 2) }
    /// Minutes of sessions one after the other, at least `soakRounds`.
    public static var soakMinutes: Int { value("VOICEGATE_SOAK_MINUTES", default: 0) }
    /// Requests of schemathesis to each operation.
    public static var fuzzExamples: Int { value("VOICEGATE_FUZZ_EXAMPLES", default: 10) }
    /// Whether this is `make soak`: then a suite's time limit does not fit.
    public static var areMany: Bool { kills > 100 || powerCuts > 100 || revocations > 500 }

    private static func value(_ name: String, default number: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? number
    }
}
