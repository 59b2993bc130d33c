import Foundation
import LinuxSystem

extension SetupRun {
    /// Lets systemd start the agent with the desktop's session.
    mutating func setUpAgent() async throws {
        guard let unit = AgentUnit(), let state = try await unit.state() else {
            return output.note(text(.agentByHand))
        }
        if state == .enabled { return output.note(text(.agentStarts)) }
        guard try await agrees(text(.startAgent)) else { return }
        try await unit.run("enable")
        try note(.unitEnabled(name: AgentUnit.name))
        output.note(text(.agentStarts))
    }
}

/// The user's unit of the agent.
struct AgentUnit {
    enum State: Equatable {
        case enabled, disabled
    }

    static let name = "voicegate-agent.service"

    private let systemctl: Tool

    /// - Returns: `nil` without systemd.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let path = ProgramEnvironment.find("systemctl", in: environment["PATH"] ?? "/usr/bin:/bin")
        guard let path else { return nil }
        systemctl = Tool(path: path, environment: environment)
    }

    /// - Returns: `nil` if the user's systemd does not run, or has no such unit.
    func state() async throws -> State? {
        let answer = try await systemctl.run(
            ["--user", "show", "--property=LoadState,UnitFileState", Self.name], ToolCall(limit: .seconds(10)))
        let states = answer.output.split(separator: "\n")
        guard answer.status == 0, states.contains("LoadState=loaded") else { return nil }
        return states.contains("UnitFileState=enabled") ? .enabled : .disabled
    }

    /// - Parameter verb: `enable` also starts it, `disable` stops it.
    func run(_ verb: String) async throws {
        let arguments = ["--user", verb, "--now", Self.name]
        let done = try await systemctl.run(arguments, ToolCall(complaints: .inherited))
        try require(
            done.status == 0, .cannotControl, "systemctl \(arguments.joined(separator: " ")) failed; see above.")
    }
}
