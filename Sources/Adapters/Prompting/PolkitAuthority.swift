import Authorization
import Base
import LinuxSystem

/// Lets polkit confirm an action by asking for the user's password (pkcheck(1)).
public struct PolkitAuthority: Sendable {
    private let tool: Tool
    private let timeout: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - program: pkcheck
    ///   - environment: all of pkcheck's environment.
    ///   - timeout: how long the user has to confirm.
    public init(
        program: String = "/usr/bin/pkcheck", environment: [String: String] = [:], timeout: Duration = .seconds(120),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.tool = Tool(path: program, environment: environment)
        self.timeout = timeout
        self.sleep = sleep
    }

    /// Returns when the act is authorized.
    ///
    /// - Parameter message: what the password dialog says.
    /// - Throws: `PolkitError`; also after the timeout.
    public func check(_ act: ConfirmedAct, saying message: String, of caller: Caller) async throws {
        let action = PolkitAction(act)
        let arguments = Self.arguments(act, message, caller)
        let run = try await withThrowingTaskGroup(of: ToolRun?.self) { group in
            group.addTask {
                do {
                    return try await tool.run(arguments)
                } catch let error as ToolError {
                    throw PolkitError(
                        code: .unavailable,
                        message: "polkit cannot be run, and nothing is authorized without it: \(error) Install polkitd."
                    )
                }
            }
            group.addTask {
                try await sleep(timeout)
                return nil
            }
            // The tool ends before the group does, and closes its dialog.
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
                message: "Nothing in your session asks for your password. Start your desktop's polkit agent, or run "
                    + "voicegate in a terminal, where polkit's pkttyagent asks.")
        case 3: throw Self.dismissed
        default:
            throw PolkitError(
                code: .unavailable,
                message:
                    "polkit failed (\(run.status)), and nothing is authorized without it. See: systemctl status polkit")
        }
    }

    /// The subject is a process with its start time and user, so that a reused identifier is another subject (CVE-2013-4288).
    /// `polkit.message` replaces the message of the policy file
    /// (polkit_authority_check_authorization in polkit's documentation).
    static func arguments(_ act: ConfirmedAct, _ message: String, _ caller: Caller) -> [String] {
        let process = caller.process
        return [
            "--action-id", PolkitAction(act).rawValue, "--process",
            "\(process.processIdentifier),\(process.startTime),\(caller.user)", "--allow-user-interaction",
        ]
            + (act.details + [(key: "polkit.message", value: message)]).flatMap { ["--detail", $0.key, $0.value] }
    }

    private static let dismissed = PolkitError(
        code: .dismissed, message: "The action was not confirmed with your password. Try again.")
}

/// An action for polkit. The raw values are the actions of `Packaging/polkit/io.voicegate.policy`.
public enum PolkitAction: String, Sendable, Hashable, CaseIterable {
    /// Answering a prompt with a grant.
    case answer = "io.voicegate.answer"
    /// Changing decisions so that more is permitted, installing and uninstalling clients, ending a mute.
    case settings = "io.voicegate.settings"
    /// Erasing records and what is kept. Also over ssh: a user's right to erasure needs no seat.
    case erase = "io.voicegate.erase"

    public init(_ act: ConfirmedAct) {
        self =
            switch act {
            case .allow(let allowing): allowing.isAnswer ? .answer : .settings
            case .install, .uninstall, .unmute: .settings
            case .eraseRecords, .eraseKept: .erase
            }
    }
}

/// Why polkit did not authorize.
public typealias PolkitError = CodedError<PolkitErrorCode>

public enum PolkitErrorCode: String, Sendable, Hashable, CaseIterable {
    /// The machine's rules refuse, or the password was wrong.
    case notAuthorized
    /// The user closed the password dialog, or did not answer it in time.
    case dismissed
    /// No authentication agent runs in the user's session.
    case noAuthenticationAgent
    /// pkcheck or polkit itself is missing or failed; nothing is authorized without it.
    case unavailable
}
