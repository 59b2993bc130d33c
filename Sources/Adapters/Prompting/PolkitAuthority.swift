import Authorization
import LinuxSystem

/// Lets polkit make sure that the person stands behind a deed, by asking for their password (pkcheck(1)).
public struct PolkitAuthority: Sendable {
    private let tool: Tool
    private let timeout: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - program: pkcheck
    ///   - environment: all that it gets.
    ///   - timeout: how long a person has for it.
    public init(
        program: String = "/usr/bin/pkcheck", environment: [String: String] = [:], timeout: Duration = .seconds(120),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.tool = Tool(path: program, environment: environment)
        self.timeout = timeout
        self.sleep = sleep
    }

    /// Returns when the process may do it.
    ///
    /// - Throws: `PolkitError`; also when the time is over or the task is cancelled.
    public func check(_ action: PolkitAction, of caller: Caller) async throws {
        let arguments = Self.arguments(action, caller)
        let run = try await withThrowingTaskGroup(of: ToolRun?.self) { group in
            group.addTask {
                do {
                    return try await tool.run(arguments)
                } catch let error as ToolError {
                    throw PolkitError(
                        code: .unavailable,
                        message: "polkit cannot be asked, and nothing is allowed without it: \(error) Install polkitd.")
                }
            }
            group.addTask {
                try await sleep(timeout)
                return nil
            }
            // The tool ends before the group does, and takes its question with it.
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        try Task.checkCancellation()
        guard let run else { throw Self.dismissed }
        switch run.status {
        case 0: return
        case 1:
            throw PolkitError(
                code: .notAuthorized,
                message: "polkit does not authorize \(action.rawValue) here. Ask this machine's administrator.")
        case 2:
            throw PolkitError(
                code: .noAuthenticationAgent,
                message: "Nothing runs in your session that could ask for your password. Start your desktop's polkit "
                    + "agent, or pkttyagent in another terminal, then try again.")
        case 3: throw Self.dismissed
        default:
            throw PolkitError(
                code: .unavailable,
                message:
                    "polkit failed (\(run.status)), and nothing is allowed without it. See: systemctl status polkit")
        }
    }

    /// The subject is a process with its start time and user: an identifier that is used again names another subject
    /// (CVE-2013-4288).
    static func arguments(_ action: PolkitAction, _ caller: Caller) -> [String] {
        let process = caller.process
        return [
            "--action-id", action.rawValue, "--process",
            "\(process.processIdentifier),\(process.startTime),\(caller.user)", "--allow-user-interaction",
        ]
    }

    private static let dismissed = PolkitError(
        code: .dismissed, message: "You did not confirm it with your password. Try again.")
}

/// What polkit is asked about. The raw values are the actions of `Packaging/polkit/io.voicegate.policy`.
public enum PolkitAction: String, Sendable, Hashable, CaseIterable {
    /// Answering a prompt with a yes.
    case answer = "io.voicegate.answer"
    /// Changing what was decided.
    case settings = "io.voicegate.settings"
}

/// Why polkit did not authorize.
public struct PolkitError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The rules of this machine, or a wrong password, say no.
        case notAuthorized
        /// The person closed the question for a password, or did not answer it in time.
        case dismissed
        /// No program that could ask for a password runs in the person's session.
        case noAuthenticationAgent
        /// pkcheck or polkit itself is missing or failed; nothing is authorized without it.
        case unavailable
    }

    public let code: Code
    /// A sentence that says what happened and what to do.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
