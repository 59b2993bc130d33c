/// A process at the other end of a connection, with the kernel's evidence about it. Nothing here is the caller's word.
public struct Caller: Sendable, Hashable {
    public let process: ProcessIdentity
    public let user: UInt32
    /// What identifies the program that asks: its file, or the script it runs.
    public let executable: Executable
    public let evidence: Evidence
    /// The service it runs in, if any.
    public let unit: SystemdUnit?
    /// Where `process` is VoiceGate's command line and another program runs it: that program's process, which all else
    /// here is about. Its identifier is 0 when that one had ended before it could be looked at.
    public let responsible: ProcessIdentity?

    public init(
        process: ProcessIdentity, user: UInt32, executable: Executable, evidence: Evidence = .executable,
        unit: SystemdUnit? = nil, responsible: ProcessIdentity? = nil
    ) {
        self.process = process
        self.user = user
        self.executable = executable
        self.evidence = evidence
        self.unit = unit
        self.responsible = responsible
    }
}
