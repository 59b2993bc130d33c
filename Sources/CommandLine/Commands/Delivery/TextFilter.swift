import Foundation
import LinuxSystem

/// A command line of the person's that gets an utterance on its standard input and writes what is delivered in its place.
struct TextFilter: Sendable, Hashable {
    static let limit = Duration.seconds(5)

    let command: String

    /// - Returns: the text without a line end that the command added; empty where nothing is to be delivered.
    /// - Throws: `CommandError` with `cannotDeliver`: its result cannot be used.
    func filtered(_ text: String) async throws -> String {
        let run: ToolRun
        do {
            run = try await Tool(path: "/bin/sh").run(
                ["-c", command],
                ToolCall(input: [UInt8]((text + "\n").utf8), complaints: .kept, limit: Self.limit))
        } catch let error as ToolError {
            throw DeliveryTools.failure(error.message)
        }
        if run.isOverdue { throw failure("did not end within \(Self.limit.components.seconds) seconds") }
        if run.isCut { throw failure("wrote more than 64 KiB") }
        guard run.status == 0 else {
            let reason = run.complaint.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw failure("failed with status \(run.status)\(reason)")
        }
        return DeliveredText.cleaned(run.output.hasSuffix("\n") ? String(run.output.dropLast()) : run.output)
    }

    private func failure(_ what: String) -> CommandError { DeliveryTools.failure("The filter “\(command)” \(what).") }
}
