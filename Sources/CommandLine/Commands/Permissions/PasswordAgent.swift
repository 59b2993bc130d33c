import CLinux
import CommandClient
import Foundation
import Glibc
import LinuxSystem
import SocketAPI

/// Asks for the user's password in this terminal if polkit wants it and the session has no agent of a desktop, as at a console:
/// pkttyagent(1), as systemctl(1) starts it.
enum PasswordAgent {
    private static let queue = BlockingQueues(label: "voicegate.password-agent", width: 1)

    /// Runs a request that the machine's service may want to be confirmed.
    static func beside<Reply: Sendable>(
        _ client: ServiceClient, program: String = "/usr/bin/pkttyagent", _ request: () async throws -> Reply
    ) async throws -> Reply {
        guard geteuid() != 0, isatty(STDIN_FILENO) == 1, access(program, X_OK) == 0,
            let health = try? await client.health(), health.mode == .enforced
        else { return try await request() }
        let process = await queue.run { start(program) }
        do {
            let reply = try await request()
            await end(process)
            return reply
        } catch {
            await end(process)
            throw error
        }
    }

    /// Returns when polkit knows it, or it has ended.
    static func start(_ program: String) -> pid_t? {
        var ends: [CInt] = [-1, -1]
        guard vg_pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        // An agent that the session has is not replaced.
        let agent = ProgramStart(
            [program, "--fallback", "--process", "\(getpid())", "--notify-fd", "3"],
            environment: ProcessInfo.processInfo.environment, descriptors: [0, 1, 2, ends[1]])
        let process = try? agent.start()
        close(ends[1])
        guard let process else { return nil }
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) < 0, errno == EINTR {}
        return process
    }

    static func end(_ process: pid_t?) async {
        guard let process else { return }
        kill(process, SIGTERM)
        await queue.run { while waitpid(process, nil, 0) < 0, errno == EINTR {} }
    }
}
