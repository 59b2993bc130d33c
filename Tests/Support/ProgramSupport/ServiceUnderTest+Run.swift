extension ServiceUnderTest {
    /// `voicegate run` of a command as the client; curl is one by `registerCurl`. From the root folder: the tests' own may
    /// lie below /tmp, which a client without a network does not see.
    public func start(
        _ command: [String], as client: String = "org.example.curl", withoutNetwork: Bool = true,
        isForeground: Bool = true
    ) throws -> RunningProgram {
        try RunningProgram(
            ["/usr/bin/env", "-C", "/", Programs.commandLine, "run", "--client", client, "--socket", socket]
                + (withoutNetwork ? ["--no-network"] : []) + ["--"] + command,
            environment: environment, isForeground: isForeground)
    }
}
