import Consent

/// How `voicegate service start` passes the options of a start to `voicegated`.
extension LogStart.Options {
    private static let names: [(option: LogStart.Options, argument: String)] = [
        (acceptRestoredLog, "--accept-restored-log"), (replaceLostKey, "--replace-lost-key"),
    ]

    /// The environment variable that has them for a service of systemd, whose arguments are in its unit.
    public static let variable = "VOICEGATED_START_OPTIONS"

    /// - Parameter arguments: separated by a space; others mean nothing.
    public init(arguments: String) {
        let given = arguments.split(separator: " ")
        self.init(Self.names.filter { given.contains($0.argument[...]) }.map(\.option))
    }

    /// As `variable` has them, which nothing may change again: they mean something only up to this second of the boot's clock.
    public func environmentValue(untilSecondOfBoot second: Int) -> String { "\(arguments) until=\(second)" }

    /// - Parameter value: of `variable`.
    public init(environmentValue value: String, atSecondOfBoot now: Int) {
        let until = value.split(separator: " ").last.flatMap { $0.hasPrefix("until=") ? Int($0.dropFirst(6)) : nil }
        self = until.map { now <= $0 } == true ? Self(arguments: value) : []
    }

    /// The command that starts the service with them.
    public var command: String { "voicegate service start " + arguments }

    /// As given to `voicegated`.
    public var arguments: String {
        Self.names.filter { contains($0.option) }.map(\.argument).joined(separator: " ")
    }
}

extension ConsentError {
    /// The same with the sentences on what resolves it.
    public var withCommand: ConsentError {
        guard !resolvedBy.isEmpty else { return self }
        let isKeyLost = resolvedBy.contains(.replaceLostKey)
        return ConsentError(
            code: code,
            message: "\(message) Restore what was there from a backup, or continue with what is there, which is "
                + "recorded: \(resolvedBy.command) (for the machine's service as root)."
                + (isKeyLost ? " Then give the new verifier key to everyone who has the old one." : ""),
            underlying: underlying, resolvedBy: resolvedBy)
    }
}
