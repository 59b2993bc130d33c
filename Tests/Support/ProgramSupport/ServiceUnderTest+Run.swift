extension ServiceUnderTest {
    /// `voicegate run` of a command as the client; curl is one by `registerCurl`.
    public func start(
        _ command: [String], as client: String = "org.example.curl", withoutNetwork: Bool = true
    ) throws -> RunningProgram {
        try RunningProgram(
            [Programs.commandLine, "run", "--client", client, "--socket", socket]
                + (withoutNetwork ? ["--no-network"] : []) + ["--"] + command,
            environment: environment)
    }
}
