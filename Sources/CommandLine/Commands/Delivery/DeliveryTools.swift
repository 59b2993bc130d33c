import Foundation
import LinuxSystem

/// The desktop session as the environment tells it, and the programs that are there.
struct DeliveryTools: Sendable {
    /// A tool that does not end has hung; typing a long text takes as long as it takes.
    static let limit = Duration.seconds(30)

    let environment: [String: String]

    init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

    var isWayland: Bool { !(environment["WAYLAND_DISPLAY"] ?? "").isEmpty }
    var isX11: Bool { !(environment["DISPLAY"] ?? "").isEmpty }

    /// - Returns: its absolute path; `nil` when `PATH` has none.
    func path(of program: String) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }.first {
            access($0, X_OK) == 0
        }
    }

    /// Runs one tool on text.
    ///
    /// - Throws: `CommandError` with `cannotDeliver` when it fails, or does not end in time.
    func run(_ path: String, _ step: ToolStep, complaints: ToolCall.Stream = .kept) async throws {
        let name = (path as NSString).lastPathComponent
        // The tools read text by the locale, and "C" has no letters but those of ASCII.
        let variables = environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        let run: ToolRun
        do {
            run = try await Tool(path: path, environment: variables).run(
                step.arguments,
                ToolCall(
                    input: step.input.map { [UInt8]($0.utf8) } ?? [], output: .discarded, complaints: complaints,
                    limit: Self.limit))
        } catch let error as ToolError {
            throw Self.failure(error.message)
        }
        if run.isOverdue { throw Self.failure("\(name) did not end within \(Self.limit.components.seconds) seconds.") }
        guard run.status == 0 else {
            let reason = run.complaint.split(separator: "\n").first.map { ": \($0)" } ?? "."
            throw Self.failure("\(name) failed with status \(run.status)\(reason)")
        }
    }

    static func failure(_ message: String) -> CommandError { CommandError(.cannotDeliver, .unavailable, message) }
}

/// One call of a tool. Text of the person's is never among the arguments, where it could be taken for an option.
struct ToolStep: Sendable, Hashable {
    let arguments: [String]
    /// `nil`: it reads nothing.
    let input: String?

    init(_ arguments: [String], input: String? = nil) {
        self.arguments = arguments
        self.input = input
    }
}
