/// An X server with a virtual screen.
public struct VirtualScreen: Sendable {
    public let server: RunningProgram
    public let variables: [String: String]

    public init(environment: [String: String] = ["PATH": "/usr/bin"]) async throws {
        // A server that is reset when its last client leaves refuses the client that comes at that moment (Xserver(1)).
        server = try RunningProgram(
            ["/usr/bin/Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "640x480x24", "-nolisten", "tcp"],
            environment: environment)
        variables = ["DISPLAY": ":\(try await server.line { Int($0) != nil })"]
    }
}
