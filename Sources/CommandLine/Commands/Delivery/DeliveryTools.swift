import Foundation
import LinuxSystem

/// The desktop session of the environment, and the installed programs.
struct DeliveryTools: Sendable {
    static let limit = Duration.seconds(30)

    var environment = ProcessInfo.processInfo.environment

    var isWayland: Bool { !(environment["WAYLAND_DISPLAY"] ?? "").isEmpty }
    var isX11: Bool { !(environment["DISPLAY"] ?? "").isEmpty }

    /// - Returns: the program's absolute path; `nil` if `PATH` has none.
    func path(of program: String) -> String? {
        ProgramEnvironment.find(program, in: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    }

    /// Runs one tool on text.
    ///
    /// - Throws: `CommandError` with `cannotDeliver` if it fails or exceeds the time limit.
    func run(_ path: String, _ step: ToolStep, complaints: ToolCall.Stream = .kept) async throws {
        let name = (path as NSString).lastPathComponent
        // The tools read text by the locale, and "C" has only ASCII.
        let variables = environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        let run = try await Self.run(
            name, Tool(path: path, environment: variables), step.arguments, step.input ?? "", output: .discarded,
            complaints: complaints, limit: Self.limit)
        guard run.status == 0 else {
            let reason = run.complaint.split(separator: "\n").first.map { ": \($0)" } ?? "."
            throw Self.failure("\(name) failed with status \(run.status)\(reason)")
        }
    }

    /// Runs a program with text on its standard input.
    ///
    /// - Parameter name: the program as the subject of a sentence.
    /// - Throws: `CommandError` with `cannotDeliver` if it cannot be started, exceeds the time limit or writes too much.
    static func run(
        _ name: String, _ tool: Tool, _ arguments: [String], _ input: String, output: ToolCall.Stream,
        complaints: ToolCall.Stream, limit: Duration
    ) async throws -> ToolRun {
        let call = ToolCall(input: [UInt8](input.utf8), output: output, complaints: complaints, limit: limit)
        do {
            let run = try await tool.run(arguments, call)
            if run.isOverdue { throw failure("\(name) did not end within \(limit.components.seconds) seconds.") }
            if run.isCut { throw failure("\(name) wrote more than 64 KiB.") }
            return run
        } catch let error as ToolError {
            throw failure(error.message)
        }
    }

    static func failure(_ message: String) -> CommandError { CommandError(.cannotDeliver, message) }
}

/// One call of a tool. The user's text is never an argument, where it could be read as an option.
struct ToolStep: Sendable, Hashable {
    let arguments: [String]
    /// `nil`: none.
    let input: String?

    init(_ arguments: [String], input: String? = nil) {
        self.arguments = arguments
        self.input = input
    }
}
